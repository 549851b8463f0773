"""Made pages without content, and how well they are told from real pages."""
