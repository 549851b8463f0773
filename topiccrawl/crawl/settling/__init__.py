"""Settling: the stories in the store are brought up to date, in the background, by one process at a time."""
