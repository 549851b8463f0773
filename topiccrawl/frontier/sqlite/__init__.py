"""The frontier backend in one SQLite file."""
