"""Briefings: chosen stories with titles, summaries and sources, as Word, HTML and Markdown."""
