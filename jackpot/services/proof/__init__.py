"""Proving what is booked: performing it again (`audit`), and holding it against what was sealed (`verify`)."""
