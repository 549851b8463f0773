"""Labels in Chinese and English: of reports, of parts of a score, of statistics."""
