"""Briefings: proposals, their form, and the notes of files that were sent."""
