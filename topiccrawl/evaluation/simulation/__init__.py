"""Crawls of stored webs without HTTP, and their bounds."""
