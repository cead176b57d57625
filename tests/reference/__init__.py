"""A slow second opinion, written from the rule texts and the design alone; it imports nothing of the product."""
