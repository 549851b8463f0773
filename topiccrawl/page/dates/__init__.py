"""When a page was published."""
