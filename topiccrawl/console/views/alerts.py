"""Warnings: what was found and sent, the rules and channels, and the Atom feed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from topiccrawl.alerts.channels.contract import SendFailed
from topiccrawl.alerts.channels.kinds import KINDS
from topiccrawl.alerts.channels.sending import send_test
from topiccrawl.alerts.feed import MEDIA_TYPE, MOST_ENTRIES, atom_feed
from topiccrawl.alerts.reader import read_alerts
from topiccrawl.alerts.reading import Recorded, recorded
from topiccrawl.alerts.summary import KIND_NAMES, STATE_NAMES, rule_summary
from topiccrawl.alerts.texts import describe
from topiccrawl.console.desk import Desk, desk_and_topic
from topiccrawl.console.forms import text_field, writing
from topiccrawl.console.numbers import ListPart
from topiccrawl.console.paths import page_path, story_path, topic_path
from topiccrawl.console.rendering import render
from topiccrawl.console.sections import Section
from topiccrawl.crawl.settings.alerts import WarningSettings
from topiccrawl.errors import ConfigurationError, of_setting
from topiccrawl.language import N_, _, labeled, user_language

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request

    from topiccrawl.alerts.settings import AlertSettings

#: Warnings on a page (a choice).
_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class _Declared:
    """What ``alerts.toml`` declares, and why it cannot be read or channels cannot send."""

    file: str = ""
    settings: AlertSettings | None = None
    problem: str = ""


def _declared(desk: Desk) -> _Declared:
    file = str(desk.settings.get("TOPICCRAWL_ALERTS") or "")
    if not file:
        return _Declared()
    try:
        file = WarningSettings.from_settings(desk.settings).alerts
        with of_setting("TOPICCRAWL_ALERTS"):
            settings = read_alerts(Path(file), to_send=False)
        return _Declared(file, settings, "; ".join(settings.problems))
    except ConfigurationError as error:
        return _Declared(file, None, str(error))


async def index(request: Request) -> Response:
    """Show the warnings of a topic, the newest first, with its rules and channels."""
    desk, topic = await desk_and_topic(request)
    declared = _declared(desk)
    found = await recorded(desk.store, topic)
    counts = {kind: sum(it.alert.kind == kind for it in found) for kind in KIND_NAMES}
    kind = request.query_params.get("kind", "")
    kind = kind if counts.get(kind) else ""
    chosen = [it for it in found if it.alert.kind == kind] if kind else found
    part = ListPart.asked(request.query_params, len(chosen), _PAGE)
    rules = (
        [it for it in declared.settings.rules if it.takes_topic(topic)] if declared.settings else []
    )
    return render(
        request,
        "alerts/index.html",
        topic=topic,
        rows=[_row(topic, it) for it in chosen[part.items]],
        kinds=[(it, _(KIND_NAMES[it]), n) for it, n in counts.items() if n],
        kind=kind,
        part=part,
        path=lambda to: topic_path(topic, "alerts", kind=kind, page=to),
        declared=declared,
        rules=[rule_summary(it) for it in rules],
        channels=_channels(declared),
        sent=request.query_params.get("sent", ""),
        failed=request.query_params.get("failed", ""),
    )


def _row(topic: str, one: Recorded) -> dict[str, Any]:
    """Return what the list shows of a warning."""
    alert, said = one.alert, describe(one.alert, user_language())
    href = ""
    if alert.kind == "story":
        href = story_path(topic, alert.subject)
    elif alert.kind == "host":
        href = topic_path(topic, "search", site=alert.subject)
    return {
        "at": alert.at,
        "label": said.label,
        "headline": said.headline,
        "href": href,
        "details": said.details,
        "pages": [
            {"title": shown.title, "origin": shown.origin, "href": page_path(topic, page.url)}
            for page, shown in zip(alert.pages, said.pages, strict=False)
        ],
        "deliveries": [
            {
                "channel": it.channel,
                "state": _(STATE_NAMES.get(it.state, it.state)),
                "bad": it.state in ("given-up", "unconfirmed") or bool(it.error),
                "error": it.error,
            }
            for it in one.deliveries
        ],
    }


def _channels(declared: _Declared) -> list[tuple[str, str]]:
    """Return name and kind of each channel: nothing else of one is shown."""
    if declared.settings is None:
        return []
    return [(it.name, _(KINDS[it.kind].label)) for it in declared.settings.channels]


@writing
async def test(request: Request, form: FormData) -> Response:
    """Send a test message to a channel."""
    desk, topic = await desk_and_topic(request)
    declared, name = _declared(desk), text_field(form, "channel", 100)
    channels = declared.settings.channels if declared.settings else ()
    channel = next((it for it in channels if it.name == name), None)
    if channel is None or declared.settings is None:
        return RedirectResponse(topic_path(topic, "alerts"), 303)
    try:
        await send_test(channel, topic, declared.settings.link, desk.now())
    except SendFailed as error:
        return RedirectResponse(topic_path(topic, "alerts", failed=labeled(name, str(error))), 303)
    return RedirectResponse(topic_path(topic, "alerts", sent=name), 303)


async def feed(request: Request) -> Response:
    """Return the newest warnings as an Atom feed."""
    desk, topic = await desk_and_topic(request)
    found = await recorded(desk.store, topic, MOST_ENTRIES)
    link = str(request.url.replace(path=topic_path(topic, "alerts"), query=""))
    content = atom_feed(topic, [it.alert for it in found], user_language(), link)
    return Response(content, media_type=MEDIA_TYPE)


SECTION = Section(
    "alerts",
    N_("Warnings"),
    60,
    routes=[
        Route("/t/{topic}/alerts", index),
        Route("/t/{topic}/alerts/test", test, methods=["POST"]),
        Route("/t/{topic}/alerts.atom", feed),
        Route("/feeds/{topic}.atom", feed),
    ],
)
