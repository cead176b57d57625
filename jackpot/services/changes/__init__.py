"""Changes of what is already booked, or by which rules: asked for by one person, approved by another."""
