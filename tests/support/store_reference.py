"""The table of page fields in docs/store.md, generated from the declarations.

``python -m tests.support.store_reference`` writes it into the file.
"""

from __future__ import annotations

from pathlib import Path

from topiccrawl.store.records import PAGES

REFERENCE = Path(__file__).parents[2] / "docs" / "store.md"

BEGIN, END = "<!-- fields of a page: begin -->\n", "<!-- fields of a page: end -->\n"


def field_table() -> str:
    """The table as Markdown."""
    rows = ["| field | type | 名称 | meaning |", "|---|---|---|---|"]
    for field in PAGES.fields:
        declared = field.declaration
        since = f" (since format {declared.since})" if declared.since > 1 else ""
        rows.append(
            f"| `{field.key}` | {field.codec.type_name} | {declared.zh} | {declared.doc}{since} |"
        )
    return "\n".join(rows) + "\n"


def written_table() -> str:
    """The table as docs/store.md has it."""
    return REFERENCE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    text = REFERENCE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    REFERENCE.write_text(f"{before}{BEGIN}{field_table()}{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
