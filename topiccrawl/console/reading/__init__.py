"""What users do with one page: read it, its evidence and versions, mark terms, judge and annotate it."""
