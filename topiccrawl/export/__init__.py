"""Stored pages as files for other programs: CSV, JSON Lines, Excel."""
