"""Webhooks: endpoints and their secrets, deliveries out of the outbox, sending to receivers that hang, lie or die."""
