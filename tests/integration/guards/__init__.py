"""Every guard of the database, tried with raw SQL: what each refuses, and under which name."""
