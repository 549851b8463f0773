"""The frontier backend in memory."""
