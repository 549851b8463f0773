"""Pages to start from, found by search engines: descriptions, queries, answers, fusion.  Pure."""
