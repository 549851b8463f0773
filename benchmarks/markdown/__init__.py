"""How well pages come back as Markdown: documents drawn in many templates, and a tree edit similarity."""
