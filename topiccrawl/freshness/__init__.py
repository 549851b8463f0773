"""When to visit a page again, from the history of its visits and changes; pure."""
