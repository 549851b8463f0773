"""Copies: of which kept or rejected page a page is a copy, found before it is written."""
