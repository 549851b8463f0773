"""Names of kinds and states, and rules in one line each, for the command and the console."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from topiccrawl.alerts.rules import HealthRule, HostRule, Rule, VolumeRule, WordRule, Words
from topiccrawl.alerts.texts import CHECK_WORDS
from topiccrawl.language import N_, _, clauses, listed

KIND_NAMES: Final[Mapping[str, str]] = {
    "story": N_("Story"),
    "host": N_("New host"),
    "volume": N_("Volume"),
    "health": N_("Crawl"),
}
STATE_NAMES: Final[Mapping[str, str]] = {
    "sent": N_("sent"),
    "ready": N_("waits"),
    "unconfirmed": N_("unconfirmed"),
    "given-up": N_("given up"),
}


def rule_summary(rule: Rule) -> tuple[str, str, str, str]:
    """Return name, kind, condition and channels of *rule*."""
    channels = listed(rule.channels) or _("all")
    if isinstance(rule, WordRule):
        return rule.name, _("Story"), _condition(rule.words), channels
    if isinstance(rule, HostRule):
        return rule.name, _("New host"), _("first page of a host"), channels
    if isinstance(rule, VolumeRule):
        text = _("unusual number of pages in a day")
        if rule.interval == "hour":
            text = _("unusual number of pages in an hour")
        words = _condition(rule.words)
        return rule.name, _("Volume"), clauses([text, words]) if words else text, channels
    if isinstance(rule, HealthRule):
        checks = listed(_(CHECK_WORDS[it].name) for it in rule.checks)
        return rule.name, _("Crawl"), checks, channels
    return rule.name, "", "", channels


def _condition(words: Words) -> str:
    parts = []
    if words.any:
        parts.append(_("one of: {words}").format(words=listed(words.any)))
    if words.all:
        parts.append(_("all of: {words}").format(words=listed(words.all)))
    if words.none:
        parts.append(_("none of: {words}").format(words=listed(words.none)))
    return clauses(parts)
