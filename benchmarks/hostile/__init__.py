"""Hostile servers on loopback, and a crawl of all of them beside a good site.

    python -m benchmarks.hostile                  # all at once, with 200 good pages
    python -m benchmarks.hostile --list
    python -m benchmarks.hostile --only gzip-bomb --only drip
    python -m benchmarks.hostile --each           # each in a crawl of its own, with its CPU time
    python -m benchmarks.hostile --stops 10       # SIGTERM at ten moments of ten crawls

A behavior is one function with a name.  To add one, write it in the module of its kind, under one of
the decorators of :mod:`benchmarks.hostile.behavior`; nothing else changes:

=================  ==============================================================================
``transfer``       slow, endless, broken and reset transfers
``framing``        status lines, headers, lengths, chunks, answers mixed up
``coding``         compression, charsets, content types
``redirects``      redirects by status and by markup
``robots``         robots.txt
``markup``         pages that are expensive or damaged
``texts``          pages whose title, text or metadata attack who reads them later
``traps``          sites without end
``refusals``       429, 503, error pages that look like pages
``names``          TLS and DNS
=================  ==============================================================================

Each behavior has the hosts ``www.NAME.example`` and all others under ``NAME.example``, on a loopback
address of its own (127.66.x.y, so Linux is needed); names are resolved inside the crawl's process, and
nothing leaves the machine.
"""
