"""Bursts that are planted in drawn streams, and how many of them are found."""
