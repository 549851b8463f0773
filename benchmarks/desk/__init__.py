"""A store of generated pages with planted stories, and what is measured on it."""
