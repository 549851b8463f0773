"""When a host may be contacted: time windows, pauses after refusals and failures, delays.

Pure rules over host names and seconds; the crawler is in ``middlewares/politeness.py``, and what
must hold for all workers together in ``frontier/contract.py``.
"""
