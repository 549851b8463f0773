"""Stored webs: SQLite, WARC, generated and recorded ones."""
