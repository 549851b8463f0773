"""Author, source and editor of a page."""
