"""How rounds, settlements and packs are shown, for the API and the console alike."""
