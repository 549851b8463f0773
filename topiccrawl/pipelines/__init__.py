"""Item pipelines, in the order in which a page passes them: body, relevance, title, details, store."""
