"""Documents of which only a part is read have a reason."""

from __future__ import annotations

import pytest

from tests.documents import pdf_forms
from tests.documents.office_forms import ofd, ofd_prose
from topiccrawl.documents.reading import read_document

TEXTS = ["侨批档案馆昨日开放，归侨带着孙辈前来参观。", "展厅里陈列着三百封侨批。", "参观免费。"]


@pytest.mark.parametrize("kind", ["pdf", "ofd"])
@pytest.mark.parametrize(("most", "reason"), [(2, "too-large"), (3, "")])
def test_a_document_of_too_many_pages_is_known_to_be_cut(
    kind: str, most: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "pdf":
        pages = [page for text in TEXTS for page in pdf_forms.prose([text])]
        body = pdf_forms.written(pages, pdf_forms.embedded(mapped=True))
    else:
        body = ofd([page for text in TEXTS for page in ofd_prose([text])])
    monkeypatch.setattr(f"topiccrawl.documents.{kind}.MAX_PAGES", most)
    found = read_document(body)
    assert found.lines == TEXTS[:most]
    assert found.reason == reason
