"""Deletion of single pages: which ones, their marks, and what the desk and the file still have of them."""
