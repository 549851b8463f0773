"""Body, comments and kind of a page."""
