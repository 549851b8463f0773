"""Briefings from stories: a proposal, its editing, and Word, HTML and Markdown files."""
