"""Keywords and summaries: what is telling, in order, within bounds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.keywords import MAX_CHARACTERS, MAX_SENTENCES, MAX_TITLE_CHARACTERS, Prepared
from topiccrawl.text.sentences import split_sentences
from topiccrawl.text.summary import Digest, digest, room

ANALYZER = TextAnalyzer()
IDF = IdfTable().idf
TITLE = "江门侨批档案馆开放"
BODY = (
    "江门侨批档案馆昨日正式开放，首批展出侨批三千余封。\n"
    "侨批档案馆位于老城区，由一座百年骑楼改建。馆长介绍，侨批是海外华侨寄回家乡的书信和汇款凭证。"
    "开放首日天气晴朗。\n"
    "不少归侨带着孙辈前来参观，在展柜前辨认祖辈的笔迹。"
    "天气晴朗，阳光很好，大家都很高兴，大家都说很好，大家都觉得不错。\n"
    "侨批档案馆今后每周开放六天，免费参观。"
    "侨批档案馆还将与海外华侨社团合作，征集更多侨批。\n"
    "责任编辑：霍琦\n"
)


def keywords(title: str, body: str, limit: int = 10) -> list[str]:
    return digest(title, body, ANALYZER, IDF, max_keywords=limit).keywords


def summarize(title: str, body: str, max_chars: int | None = None) -> str:
    return digest(title, body, ANALYZER, IDF, max_chars=max_chars).summary


def test_keywords_are_the_telling_terms_and_phrases_stay_whole() -> None:
    found = keywords(TITLE, BODY, limit=5)
    assert len(found) == 5
    assert found[0] == "侨批档案馆"
    assert any("华侨" in name for name in found)
    assert not {"大家", "天气", "责任"} & set(found)


def test_the_title_and_the_beginning_count_more() -> None:
    body = "甲地举行龙舟比赛，气氛热烈。乙地举行灯会，气氛热烈。"
    assert keywords("灯会开幕", body)[0] == "灯会"
    assert keywords("龙舟开赛", body)[0].startswith("龙舟")


def test_terms_that_only_follow_each_other_across_a_comma_are_no_phrase() -> None:
    found = keywords("", "他爱好书法，围棋也好。她爱好书法，围棋不会。")
    assert "书法围棋" not in found
    assert {"书法", "围棋"} <= set(found)


def test_traditional_and_simplified_pages_have_the_same_keywords() -> None:
    assert keywords("僑批檔案館開放", "僑批檔案館昨日開放，歸僑參觀。") == keywords(
        "侨批档案馆开放", "侨批档案馆昨日开放，归侨参观。"
    )


def test_english_keywords_are_words_not_stems() -> None:
    found = keywords("", "The cyclones came. Cyclones destroyed villages.")
    assert found[0] == "cyclones"


def test_a_summary_takes_whole_sentences_in_their_order_without_repetition() -> None:
    text = summarize(TITLE, BODY, max_chars=100)
    assert len(text) <= 100
    parts = split_sentences(text)
    places = [BODY.index(part) for part in parts]
    assert places == sorted(places)
    assert len(set(parts)) == len(parts) >= 2
    assert "侨批" in text
    assert "责任编辑" not in text
    assert "大家都觉得不错" not in text


def test_a_short_text_is_its_own_summary_and_a_long_sentence_is_cut() -> None:
    assert summarize("", "老屋修好了，家就还在那里。") == "老屋修好了，家就还在那里。"
    assert summarize("", "") == ""
    cut = summarize("", "很长的句子" * 99, max_chars=20)
    assert len(cut) == 20
    assert cut.endswith("…")


def test_both_are_the_same_every_time() -> None:
    assert digest(TITLE, BODY, ANALYZER, IDF) == digest(TITLE, BODY, TextAnalyzer(), IdfTable().idf)


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="侨批档案馆开放。！\n，a b.Cd", max_size=300),
    st.integers(min_value=1, max_value=60),
)
def test_any_text_gives_bounded_results(body: str, size: int) -> None:
    found = digest(body[:20], body, ANALYZER, IDF, max_keywords=4, max_chars=size)
    assert len(found.summary) <= size
    assert len(found.keywords) <= 4
    assert len(set(found.keywords)) == len(found.keywords)


def test_sentences_keep_their_marks() -> None:
    assert split_sentences("一。“二！”三\n\n四…… It is 3.5 km. Then five.") == [
        "一。", "“二！”", "三", "四……", "It is 3.5 km.", "Then five.",
    ]  # fmt: skip


def test_a_summary_has_at_most_the_sentences_asked_for() -> None:
    for most in (1, 2, 3):
        found = digest(TITLE, BODY, ANALYZER, IDF, max_sentences=most).summary
        assert len(split_sentences(found)) == most
    short = (
        "侨批馆昨天上午开放了。很多归侨从外地来参观。展出的书信有三千多封。馆长介绍了侨批的由来。"
    )
    assert len(split_sentences(digest("", short, ANALYZER, IDF, max_sentences=2).summary)) == 2
    assert digest("", short, ANALYZER, IDF, max_sentences=4).summary == short


def test_a_byline_is_no_sentence_of_a_summary() -> None:
    body = f"2024年5月10日 09:30 来源：侨批档案馆 作者：方敏\n{BODY}"
    assert summarize(TITLE, body) == summarize(TITLE, BODY)


def test_nothing_asked_for_nothing_done() -> None:
    assert digest(TITLE, BODY, ANALYZER, IDF, max_sentences=0).summary == ""
    assert digest(TITLE, BODY, ANALYZER, IDF, max_keywords=0).keywords == []
    nothing = digest(TITLE, BODY, None, IDF, max_keywords=0, max_sentences=0)  # type: ignore[arg-type]
    assert nothing == Digest([], "")


def test_letters_have_more_room_than_han_characters() -> None:
    english = (
        "The association of overseas Chinese from Jiangmen opened an archive of family letters. "
        "Volunteers collected more than three thousand envelopes in twelve villages of the county. "
        "Researchers will publish photographs and transcripts of remittance slips on a web site. "
        "Admission is free during the first month, and schools may book guided tours by telephone."
    )
    assert len(split_sentences(digest("", english, ANALYZER, IDF).summary)) == 3
    assert room(english, 3) > room(BODY, 3) >= 200


def test_only_the_beginning_of_a_huge_text_is_read() -> None:
    """Bounded, whether its sentences have ends or not: 5 MB cost what 15,000 characters cost."""
    for unit in ("侨批档案馆今日开放，", "侨批档案馆今日开放。", "word ", "a", "\n"):
        huge = unit * (5_000_000 // len(unit))
        prepared = Prepared.of(huge, huge, ANALYZER, IDF)
        assert len(prepared.sentences) <= MAX_SENTENCES
        assert len(prepared.normal) <= MAX_CHARACTERS + MAX_TITLE_CHARACTERS + MAX_SENTENCES
        assert digest("", huge, ANALYZER, IDF) == digest("", huge[:MAX_CHARACTERS], ANALYZER, IDF)


def test_a_summary_uses_its_room_and_no_more() -> None:
    short = "侨批馆昨天上午开放了。很多归侨从外地来参观。展出的书信有三千多封。"
    assert summarize("", short, max_chars=len(short)) == short
    assert summarize("", short, max_chars=len(short) - 1) != short
    plain = "letters came home. people kept them. museums show copies. children read stories."
    for text in (BODY, plain, plain.replace(" ", "")):
        assert all(
            len(summarize("", text, max_chars=most)) <= most for most in range(10, len(text))
        )


def test_a_summary_does_not_repeat_the_title() -> None:
    title = "江门侨批档案馆昨日正式开放。"
    assert title not in summarize(title, f"{title}\n{BODY}")
    assert title in summarize("", f"{title}\n{BODY}")


def test_keywords_and_summary_do_not_need_each_other() -> None:
    both = digest(TITLE, BODY, ANALYZER, IDF)
    assert digest(TITLE, BODY, ANALYZER, IDF, max_sentences=0).keywords == both.keywords != []
    assert digest(TITLE, BODY, ANALYZER, IDF, max_keywords=0).summary == both.summary != ""
