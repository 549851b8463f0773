"""The title of a page."""
