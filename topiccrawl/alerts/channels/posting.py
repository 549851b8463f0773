"""One HTTP request: no redirects, a bounded answer, and errors without addresses."""

from __future__ import annotations

import http.client
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

from topiccrawl.alerts.channels.contract import TIMEOUT_SECONDS, SendFailed, transport_reason
from topiccrawl.language import _
from topiccrawl.urls.redirects import REDIRECT_STATUSES

#: Largest answer that is read (robots answer with some hundred bytes).
_MOST_BYTES: Final = 65_536


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """An address with a token is not sent elsewhere."""

    def redirect_request(self, *args: Any, **named: Any) -> None:
        return None


def post(url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Send *body* and return what the server answers to a success (2xx).

    The proxies of the environment apply.  Raises :class:`SendFailed`.
    """
    request = urllib.request.Request(url, data=body, headers=dict(headers), method="POST")
    context = ssl.create_default_context()
    opener = urllib.request.build_opener(_NoRedirects, urllib.request.HTTPSHandler(context=context))
    try:
        with opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
            return bytes(answer.read(_MOST_BYTES))
    except urllib.error.HTTPError as error:
        error.close()
        why = _("the server answers with status {status}")
        if error.code in REDIRECT_STATUSES:
            why = _("the server redirects (status {status}), which is not followed")
        raise SendFailed(why.format(status=error.code)) from None
    except urllib.error.URLError as error:
        raise _not_reached(error.reason) from None
    except (OSError, http.client.HTTPException) as error:
        raise _not_reached(error) from None


def _not_reached(error: object) -> SendFailed:
    why = _("the server cannot be reached: {why}")
    return SendFailed(why.format(why=transport_reason(error)))


def answer_object(answer: bytes) -> Mapping[str, Any]:
    """Return the JSON object that a robot answers; raise :class:`SendFailed` for anything else."""
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise SendFailed(_("the answer is not the one of such a robot"))
    return value
