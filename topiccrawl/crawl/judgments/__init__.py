"""Which pages are kept: the decision about each, the user's judgments, and bringing the store to new ones."""
