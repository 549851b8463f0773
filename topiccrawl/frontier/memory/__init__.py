"""The frontier in memory."""
