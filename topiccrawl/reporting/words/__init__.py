"""Labels in Chinese and English: of reports, of reasons, of parts of a score, of statistics."""
