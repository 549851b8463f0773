"""Time windows per host (分时任务): some sites may only be crawled at night or at weekends.

    TOPICCRAWL_HOST_WINDOWS = {
        "*.gov.cn": "22:00-06:00",
        "www.example.cn": "Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00",
    }

A pattern is a host name, ``*.`` and a domain (all hosts below it, at any depth, but not the domain
itself), or ``*`` for all hosts.  Only the most specific matching pattern applies.  The day is the one on
which a window *begins*: ``Fri 20:00-07:00`` lasts until Saturday morning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import N_, _

WINDOWS = "TOPICCRAWL_HOST_WINDOWS"
WINDOWS_TIMEZONE = "TOPICCRAWL_HOST_WINDOWS_TIMEZONE"
#: Time zone of the windows unless another is set.
DEFAULT_TIMEZONE = "Asia/Shanghai"

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WINDOW = re.compile(
    r"(?:(?P<first>[A-Za-z]{3})(?:-(?P<last>[A-Za-z]{3}))?\s+)?"
    r"(?P<begin>\d{1,2}:\d\d)-(?P<end>\d{1,2}:\d\d)"
)
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_DAY_MINUTES = 24 * 60
#: Days to look ahead.  Windows recur every week; the second week is for one that falls into the hour
#: that a change to daylight saving time skips.
_HORIZON_DAYS = 15
_EXPECTED = N_('must be windows like "22:00-06:00" or "Mon-Fri 20:00-07:00, Sat 00:00-24:00"')


@dataclass(frozen=True, slots=True)
class Window:
    """One weekly window of local time."""

    weekdays: frozenset[int]
    """Days on which it begins, Monday = 0."""
    begin: int
    """Minutes after midnight, in [0, 1440)."""
    end: int
    """Minutes after the same midnight, in (begin, begin + 1440)."""


class HostWindows:
    """The windows of all hosts; a host without a matching pattern is always open."""

    def __init__(
        self,
        windows: Mapping[str, object],
        timezone: str = DEFAULT_TIMEZONE,
        behind: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """*windows* maps patterns to windows (above), or to a list of them.

        *behind* returns by how many seconds the time of day is ahead of the moments that are asked for: of a
        clock that goes on evenly when that of the machine is set.

        Raises :class:`ConfigurationError` naming the setting, the pattern, the rule and the value.
        """
        self._zone = _zone(timezone)
        self._behind = behind
        self._by_pattern: dict[str, tuple[Window, ...]] = {}
        for pattern, text in windows.items():
            name = _pattern(pattern)
            if name in self._by_pattern:
                raise ConfigurationError(
                    _("{setting} must name each host once, got {pattern!r} twice").format(
                        setting=WINDOWS, pattern=pattern
                    )
                )
            self._by_pattern[name] = parse_windows(pattern, text)

    def opens_at(self, host: str, now: float) -> float | None:
        """Return ``None`` while *host* is open, otherwise the moment at which it opens.

        Both moments are seconds since the epoch, by the same clock.  A window includes its first moment, but not its
        last one.
        """
        windows = self._of(host)
        if windows is None:
            return None
        behind = self._behind()
        now += behind
        today = datetime.fromtimestamp(now, self._zone).date()
        opens: list[float] = []
        # A window over midnight may have begun yesterday.
        for day in range(-1, _HORIZON_DAYS):
            at = today + timedelta(days=day)
            for window in windows:
                if at.weekday() not in window.weekdays:
                    continue
                begin = max(_instants(at, window.begin, self._zone))
                end = min(_instants(at, window.end, self._zone))
                if begin <= now < end:
                    return None
                if now < begin < end:
                    opens.append(begin)
            if opens and day >= 1:
                break
        # Without any (a window within the hour that is skipped): check again in a week.
        return min(opens, default=now + 7 * 86_400.0) - behind

    def _of(self, host: str) -> Sequence[Window] | None:
        if not self._by_pattern:
            return None
        host = host.lower().rstrip(".")
        if (exact := self._by_pattern.get(host)) is not None:
            return exact
        rest = host
        while rest:
            _, _, rest = rest.partition(".")
            if rest and (found := self._by_pattern.get(f"*.{rest}")) is not None:
                return found
        return self._by_pattern.get("*")


def parse_windows(pattern: str, text: object) -> tuple[Window, ...]:
    """Return the windows in *text*, separated by commas, or in a list of texts.

    Raises :class:`ConfigurationError` naming *pattern*.
    """
    parts = [text] if isinstance(text, str) else text
    if not isinstance(parts, Sequence) or not all(isinstance(part, str) for part in parts):
        raise _wrong(pattern, text)
    found = [piece.strip() for part in parts for piece in re.split("[,，]", part)]
    if not any(found):
        raise _wrong(pattern, text)
    return tuple(_window(pattern, piece) for piece in found if piece)


def _window(pattern: str, text: str) -> Window:
    match = _WINDOW.fullmatch(text)
    if match is None:
        raise _wrong(pattern, text)
    weekdays = frozenset(range(7))
    if match["first"]:
        first = _weekday(pattern, match["first"], text)
        last = _weekday(pattern, match["last"] or match["first"], text)
        weekdays = frozenset((first + n) % 7 for n in range((last - first) % 7 + 1))
    begin = _minutes(pattern, match["begin"], text)
    end = _minutes(pattern, match["end"], text)
    if begin in (end, _DAY_MINUTES):
        raise ConfigurationError(
            _(
                "{setting}[{pattern!r}] must begin before it ends (a whole day is "
                "00:00-24:00), got {text!r}"
            ).format(setting=WINDOWS, pattern=pattern, text=text)
        )
    return Window(weekdays, begin, end if end > begin else end + _DAY_MINUTES)


def _wrong(pattern: str, text: object) -> ConfigurationError:
    return ConfigurationError(
        _("{setting}[{pattern!r}] {expected}, got {text!r}").format(
            setting=WINDOWS, pattern=pattern, expected=_(_EXPECTED), text=text
        )
    )


def _weekday(pattern: str, name: str, text: str) -> int:
    if name.lower() not in _DAYS:
        raise ConfigurationError(
            _(
                "{setting}[{pattern!r}] must name days as Mon, Tue, Wed, Thu, Fri, Sat or Sun, "
                "got {name!r} in {text!r}"
            ).format(setting=WINDOWS, pattern=pattern, name=name, text=text)
        )
    return _DAYS.index(name.lower())


def _minutes(pattern: str, clock: str, text: str) -> int:
    hours, minutes = (int(part) for part in clock.split(":"))
    total = hours * 60 + minutes
    if minutes > 59 or total > _DAY_MINUTES:
        raise ConfigurationError(
            _(
                "{setting}[{pattern!r}] must have times from 00:00 to 24:00, got {clock!r} in "
                "{text!r}"
            ).format(setting=WINDOWS, pattern=pattern, clock=clock, text=text)
        )
    return total


def _pattern(pattern: object) -> str:
    """Return the normalized pattern: lower case, Chinese names in their ASCII form."""
    if not isinstance(pattern, str):
        raise ConfigurationError(
            _("{setting} must have host patterns as keys, got {pattern!r}").format(
                setting=WINDOWS, pattern=pattern
            )
        )
    name = pattern.strip().lower().rstrip(".")
    if name == "*":
        return name
    star, rest = ("*.", name[2:]) if name.startswith("*.") else ("", name)
    try:
        ascii_name = rest.encode("idna").decode("ascii")
    except UnicodeError:
        ascii_name = ""
    if not ascii_name or not all(_LABEL.fullmatch(label) for label in ascii_name.split(".")):
        raise ConfigurationError(
            _(
                '{setting} must have keys like "www.example.cn", "*.example.cn" or "*" (no '
                "scheme, port or path), got {pattern!r}"
            ).format(setting=WINDOWS, pattern=pattern)
        )
    return star + ascii_name


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ConfigurationError(
            _(
                '{setting} must be a time zone like "Asia/Shanghai" (pip install '
                "tzdata where the system has none), got {name!r}"
            ).format(setting=WINDOWS_TIMEZONE, name=name)
        ) from None


def _instants(day: date, minutes: int, zone: tzinfo) -> tuple[float, float]:
    """Return the moments of a local time, in seconds since the epoch.

    They differ only where clocks change.  A window then begins at the later and ends at the earlier
    one: in doubt, a host is closed.
    """
    days, rest = divmod(minutes, _DAY_MINUTES)
    local = datetime.combine(day + timedelta(days=days), time(rest // 60, rest % 60), tzinfo=zone)
    return local.timestamp(), local.replace(fold=1).timestamp()
