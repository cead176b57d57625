"""How the console writes times where a list leaves it to Django."""
