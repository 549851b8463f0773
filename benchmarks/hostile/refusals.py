"""Refusals with odd pauses, and error pages that look like pages."""

from __future__ import annotations

from benchmarks.hostile.answers import http, on_topic
from benchmarks.hostile.behavior import Asked, Client, behavior, raw

#: Values of Retry-After.
RETRY_AFTER = {
    "none": "", "zero": "0", "negative": "-1", "huge": "9" * 30, "digits": "9" * 60_000,
    "past": "Wed, 21 Oct 2015 07:28:00 GMT", "year-9999": "Fri, 31 Dec 9999 23:59:59 GMT",
    "year-99999": "Fri, 31 Dec 99999 23:59:59 GMT", "soon": "soon", "float": "1.5e400", "nan": "nan",
    "full-width": "９９", "zone": "Wed, 21 Oct 2015 07:28:00 +9999", "epoch": "Thu, 01 Jan 1970 00:00:00 GMT",
}  # fmt: skip
for _status in (429, 503):
    for _name, _value in RETRY_AFTER.items():
        raw(f"{_status}-{_name}", f"{_status} for ever, Retry-After: {_value[:40]}")(
            lambda asked, status=_status, value=_value: http(  # type: ignore[misc]
                "later", f"{status} Later", *((f"Retry-After: {value}",) if value else ())
            )
        )
#: Statuses with a page on the topic and links that never end.
STATUSES = (
    400,
    401,
    402,
    403,
    404,
    405,
    407,
    408,
    410,
    413,
    421,
    451,
    500,
    501,
    502,
    504,
    511,
    520,
    599,
)
for _status in STATUSES:
    raw(f"error-{_status}", f"status {_status} with a page full of links")(
        lambda asked, status=_status: http(  # type: ignore[misc]
            on_topic(
                f"{status} {asked.path}", [(f"/{asked.number}-{i}", "侨务") for i in range(20)]
            ),
            f"{status} Error",
        )
    )


@raw("sometimes", "503 and pages in turn")
def _sometimes(asked: Asked) -> bytes:
    if asked.number % 2 == 0:
        return http("later", "503 Later")
    return http(on_topic(asked.path, [(f"/{asked.number}-{i}", "侨务") for i in range(5)]))


@raw("challenge", "401 with a challenge of 1 MB")
def _challenge(asked: Asked) -> bytes:
    return http("no", "401 No", 'WWW-Authenticate: Basic realm="' + "x" * 1_000_000 + '"')


@raw("captcha", "a question instead of every page, with status 200")
def _captcha(asked: Asked) -> bytes:
    return http(on_topic("请输入验证码", [(f"/verify?{asked.number}", "侨务")], key="captcha"))


@behavior("three-connections", "answers three requests, then resets all")
async def _three(asked: Asked, client: Client) -> None:
    if asked.number > 3:
        client.reset()
    else:
        await client.send(http(on_topic(asked.path, [(f"/{i}", "侨务") for i in range(20)])))
