"""Days, terms and intervals with clearly more pages than is ordinary at that time."""
