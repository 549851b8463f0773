"""One HTTP request: no redirects, a bounded answer, and errors without addresses."""

from __future__ import annotations

import http.client
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

from topiccrawl.alerts.channels.contract import TIMEOUT_SECONDS, SendFailed
from topiccrawl.language import _

__all__ = ["answer_object", "post"]

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
        raise SendFailed(
            _("the server answers with status {status}").format(status=error.code)
        ) from None
    except urllib.error.URLError as error:
        raise SendFailed(
            _("the server cannot be reached: {why}").format(why=_why(error.reason))
        ) from None
    except (OSError, http.client.HTTPException) as error:
        raise SendFailed(_("the server cannot be reached: {why}").format(why=_why(error))) from None


def _why(reason: object) -> str:
    """Return the class and number of an error: messages may quote the address."""
    if isinstance(reason, OSError) and reason.strerror and reason.errno is not None:
        return str(reason.strerror)
    return type(reason).__name__


def answer_object(answer: bytes) -> Mapping[str, Any]:
    """Return the JSON object that a robot answers; raise :class:`SendFailed` for anything else."""
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise SendFailed(_("the answer is not the one of such a robot"))
    return value
