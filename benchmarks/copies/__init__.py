"""Copies of pages told from other pages: real histories, edits, traps; our method beside others."""
