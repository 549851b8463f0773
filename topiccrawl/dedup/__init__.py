"""Duplicates of texts: near-duplicate titles and identical bodies."""
