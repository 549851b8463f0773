"""The report's section on probabilities: a plain summary, a chart and a table by tenths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.reporting.html.charts import histogram_chart
from topiccrawl.reporting.html.parts import section, table
from topiccrawl.reporting.markup import Html, el
from topiccrawl.reporting.scale import number

if TYPE_CHECKING:
    from topiccrawl.reporting.aggregates.histogram import Bin
    from topiccrawl.reporting.aggregates.probability import Probabilities
    from topiccrawl.reporting.words.labels import Words


def probability_section(found: Probabilities | None, words: Words) -> Html | None:
    """Return the section; ``None`` if the page classifier has not judged."""
    if found is None:
        return None
    legend = [
        el("span", words("kept"), class_="key kept"),
        el("span", words("rejected"), class_="key rejected"),
        el("span", words("threshold"), class_="key threshold"),
    ]
    chart = histogram_chart(
        found.bins, found.thresholds, words, name="probability-chart", axis="probability"
    )
    columns = [("probability", ""), ("pages", "num"), ("kept", "num"), ("rejected", "num")]
    tenths = table(words, columns, map(_row, reversed(found.tenths)), stacked=False)
    return section(
        "probability",
        words("probability-chart"),
        el("p", [[sentence, " "] for sentence in _sentences(found, words)], class_="plain"),
        el(
            "div",
            el("figure", el("figcaption", legend, class_="legend"), chart),
            tenths,
            class_="split",
        ),
        el("p", words("probability-note"), class_="note"),
    )


def _sentences(found: Probabilities, words: Words) -> list[Html]:
    """Return what the numbers mean, in plain language."""
    sentences = [
        words(
            "probability-judged",
            judged=number(found.judged),
            expected=number(round(found.expected)),
        ),
        words(
            "probability-kept",
            kept=number(found.kept),
            share=f"{100 * found.expected_kept / max(1, found.kept):.0f}%",
            threshold=f"{found.thresholds.last:.2f}",
        ),
    ]
    if found.withdrawn or found.readmitted or found.admitted:
        moves = {
            "withdrawn": number(found.withdrawn),
            "readmitted": number(found.readmitted),
            "admitted": number(found.admitted),
        }
        sentences.append(words("probability-moves", **moves))
    return sentences


def _row(tenth: Bin) -> list[str]:
    numbers = (tenth.kept + tenth.rejected, tenth.kept, tenth.rejected)
    span = f"{tenth.low:.1f} – {tenth.high:.1f}"
    return [span, *(number(count) if count else "–" for count in numbers)]
