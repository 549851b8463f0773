"""Annotated reports: are day, place, persons and organizations of an event found in its report.

Reports are drawn from templates in the form of real news.  The rules were written looking at the templates of
:mod:`.first` only; those of :mod:`.left_out` have other words, places and names, and are for judging.
"""
