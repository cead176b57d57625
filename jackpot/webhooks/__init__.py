"""Sending webhooks to receivers that may hang, lie or die."""
