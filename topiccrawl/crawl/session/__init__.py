"""The session: what the components of one crawl share, from its start to its end."""
