"""Signals of this project, sent through Scrapy's signal manager."""

#: ``(request, error)``: a request ended without a response that a callback could use.  Handlers may be
#: coroutines; the request's slot is free only when they have returned.
request_failed = object()

#: ``()``: the session of a crawl was closed; no page is judged again any more.
session_closed = object()
