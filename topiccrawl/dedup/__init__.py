"""Duplicates: of URLs (canonical form) and of titles (growing TF-IDF index)."""
