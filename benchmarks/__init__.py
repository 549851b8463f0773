"""Commands that measure; each states how and prints figures with their spread."""
