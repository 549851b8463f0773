"""Whole sites: readers of sitemaps and feeds, and archives by date (pure).

:mod:`~topiccrawl.sites.files` reads robots.txt, sitemaps and feeds piece by piece behind hard limits;
:mod:`~topiccrawl.sites.archives` finds the neighbors by date of a newspaper's issue; :mod:`~topiccrawl.sites.site`
decides which addresses belong to a site, and where such files usually are.
"""
