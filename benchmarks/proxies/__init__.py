"""Proxies that die during a crawl, beside the same crawl with healthy ones.

    python -m benchmarks.proxies                      # 4 of 10 die: hang, reset, 502, ad
    python -m benchmarks.proxies --faults ad,ad,ad,ad --pages 300

Two crawls of one generated web run at the same time, each through ten proxies of its own on loopback.
After a part of the pages, some proxies of one crawl begin to refuse connections (``refuse``), to accept and
not answer (``hang``), to reset connections (``reset``), to answer 502 or 407, to cut bodies short
(``truncate``), or to answer every request with an advertisement (``ad``; ``portal``: a redirect to one).

Throughput is that of genuine answers after that moment.  A page is lost if it has no outcome, failed, or
was never received from its site.
"""
