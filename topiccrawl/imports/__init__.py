"""Imports: pages out of folders, archives, WARC files and pages saved by browsers.

Nothing here uses the network, a crawler or a store: files become entries (:mod:`.walk`), and what is left
out has a reason.
"""
