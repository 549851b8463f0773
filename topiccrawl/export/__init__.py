"""Export of stored pages as CSV, JSON Lines or Excel."""
