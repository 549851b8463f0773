"""Politeness to hosts: time windows, pauses after refusals and failures, delays.

Pure rules over host names and seconds.  ``middlewares/politeness.py`` applies them, and
``frontier/contract.py`` defines what must hold for all workers together.
"""
