"""The frontier in one SQLite file."""
