"""Mobile numbers and identity numbers in a text whose digits have their ASCII forms."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

#: An identity number, whole or with a separator before and after the date of birth.
_IDENTITY: Final = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9][.,])[1-9][0-9]{5}([ -]?)(?:19|20)[0-9]{6}\1[0-9]{3}[0-9Xx](?![0-9A-Za-z])"
)
#: Codes of the provinces, regions and municipalities in identity numbers (GB/T 2260), and of residence permits
#: of Hong Kong, Macao and Taiwan.
_PROVINCES: Final = frozenset(
    map(str, (*range(11, 16), *range(21, 24), *range(31, 38), *range(41, 47), *range(50, 55)))
) | frozenset(map(str, (*range(61, 66), 71, *range(81, 84))))
#: Weights of the 17 digits, and the check digit by the remainder (GB 11643).
_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS: Final = "10X98765432"
#: Most days of each month.
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

#: Eleven digits that begin as those of a mobile number, with the code of the country and single separators.
_MOBILE: Final = re.compile(
    r"(?<![0-9])(?P<country>\(?(?:\+|00)[ ]?86\)?[ .-]{0,2}|\(?86\)?[ -]{0,2}|0)?"
    r"(?P<number>1[ .-]?[3-9](?:[ .-]{0,2}[0-9]){9})(?![0-9])"
)
#: Mobile numbers of Hong Kong, Macao and Taiwan in international form.
_REGIONAL: Final = re.compile(
    r"(?<![0-9A-Za-z])\(?(?:\+|00)(?:852\)?[ -]?[4-9][0-9]{3}[ -]?[0-9]{4}|853\)?[ -]?6[0-9]{3}[ -]?[0-9]{4}"
    r"|886\)?[ -]?\(?0?\)?9[0-9]{2}[ -]?[0-9]{3}[ -]?[0-9]{3})(?![0-9])"
)
_NUMERAL: Final = "零〇一二三四五六七八九幺"
#: Eleven digits written as Chinese numerals.
_SPELLED: Final = re.compile(
    f"(?<![{_NUMERAL}])[一幺][三四五六七八九][{_NUMERAL}]{{9}}(?![{_NUMERAL}十百千万亿年])"
)
#: Lengths of the groups in which mobile numbers are usually written.
_USUAL: Final = ((11,), (3, 4, 4), (3, 8))

#: Words directly before a number that name it as that of a thing: an order, a document, an account.
_THING: Final = re.compile(
    r"(?:订单|单据|运单|快递|物流|包裹|工单|流水|交易|凭证|发票|票据|收据|批准?|文|编|序列?|货|型|款|产品|商品|条|案|案件|合同|标书"
    r"|招标|项目|课题|备案|登记|注册|许可证?|执照|证书|证|代|信用|编码|卡|账户?|帐户?|学|工|车架|设备|机身|保单|订|单|期"
    r"|(?<![A-Za-z])(?:isbn|issn|imei|doi|sn|id|no|order|invoice|serial|tracking|account|case|docket|item|sku|ref|reference|bill|po))"
    r"[ ]?(?:号码?|编号|码|no\.?|number|nr\.?|id|序号)?[\])】]?[ ]?[为是]?[ ]?[:#.=]?[ ]?[A-Za-z]{0,3}-?$",
    re.IGNORECASE,
)
#: Words closely before a number that name it as that of a person.
_PERSON: Final = re.compile(
    r"(?:电话|電話|手机|手機|移动|行动|联系|聯繫|联络|聯絡|致电|来电|拨打|热线|熱線|咨询|微信|微\b|[薇威V]信|号码|號碼"
    r"|\b(?:tel|telephone|phone|mobile|cell|cellphone|mob|hp|call|wechat|whatsapp|[vw]x))[^0-9。；;\n]{0,10}$",
    re.IGNORECASE,
)
#: The same, so close that a word for a thing does not count: 手机卡号：139….
_SURELY: Final = re.compile(
    r"(?:电话|電話|手机|手機|微信|tel|phone|mobile|whatsapp|wechat)[^0-9。；;\n]{0,3}$",
    re.IGNORECASE,
)
#: Letters that may stand directly before a number, and those that may directly follow one.
_GLUED_BEFORE: Final = re.compile(
    r"(?<![A-Za-z])(?:tel|telephone|phone|mobile|mob|cell|hp|wechat|whatsapp|[vw]x|v|m)$",
    re.IGNORECASE,
)
_GLUED_AFTER: Final = re.compile(
    r"(?:e-?mail|mail|qq|tel|fax|wechat|wx|http|www|addr)", re.IGNORECASE
)
#: What follows an amount.
_UNIT: Final = re.compile(
    r"[ ]?(?:元|圆|块|[美欧日港英澳加韩泰]元|港币|新元|卢布|英镑|人民币|万|亿|股|吨"
    r"|千克|公斤|克|米|平方|立方|公里|公顷|亩|千瓦|人次|人(?!工)"
    r"|次|个|件|台|辆|户|条|页|份|字|岁|年|倍|桶|箱|张|[%％‰]|(?:usd|eur|rmb|cny|kwh?|kb|mb|bytes?|ms|km|kg)\b)",
    re.IGNORECASE,
)
#: What follows a part of a longer code or number, or of the name of a file.
_CODE: Final = re.compile(
    r"[A-Za-z_]|\.[0-9]|-[0-9A-Za-z]|/[0-9]{1,3}(?![0-9])"
    r"|\.(?:jpe?g|png|gif|webp|bmp|pdf|docx?|xlsx?|pptx?|[sx]?html?|php|aspx?|jsp|mp[34]|zip|rar|txt|csv)\b",
    re.IGNORECASE,
)
#: Characters before a number that are looked at.
_WINDOW: Final = 24


def identity_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, mask) of the identity numbers in *text*."""
    for found in _IDENTITY.finditer(text):
        digits = re.sub(r"[ -]", "", found[0]).upper()
        if _is_identity(digits):
            yield found.start(), found.end(), f"{digits[:3]}{'*' * 11}{digits[-4:]}"


def check_digit(digits: str) -> str:
    """Return the check digit of the first 17 digits of an identity number (GB 11643).

    >>> check_digit("11010519491231002")
    'X'
    """
    total = sum(w * int(c) for w, c in zip(_WEIGHTS, digits, strict=True))
    return _CHECKS[total % 11]


def mobile_spans(
    text: str, addresses: Sequence[tuple[int, int]] = ()
) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, mask) of the mobile numbers in *text*, except in the *addresses* of pages."""
    for found in _MOBILE.finditer(text):
        if not _within(addresses, found.start()) and _is_mobile(text, found):
            yield found.start(), found.end(), _mask(found["number"])
    for pattern in (_REGIONAL, _SPELLED):
        for found in pattern.finditer(text):
            if not _within(addresses, found.start()):
                yield found.start(), found.end(), _mask(found[0])


def _is_identity(digits: str) -> bool:
    """Whether 18 characters have a province, a day of birth and the right check digit."""
    province = digits[1:3] if digits[0] == "9" else digits[:2]
    month, day = int(digits[10:12]), int(digits[12:14])
    return (
        province in _PROVINCES
        and 1 <= month <= 12
        and 1 <= day <= _DAYS[month - 1]
        and check_digit(digits[:17]) == digits[17]
    )


def _is_mobile(text: str, found: re.Match[str]) -> bool:
    """Whether eleven digits are a mobile number, by their groups and by what is around them."""
    start, end = found.span()
    before, after = text[max(0, start - _WINDOW) : start], text[end : end + 12]
    groups = tuple(map(len, re.split(r"[ .-]+", found["number"])))
    named = _PERSON.search(before) is not None
    if groups not in _USUAL and not named:
        return False
    if _UNIT.match(after) or (_CODE.match(after) and not (named and _may_follow(after))):
        return bool(_GLUED_AFTER.match(after))
    if before[-1:].isascii() and (before[-1:].isalpha() or before[-1:] == "_"):
        return _GLUED_BEFORE.search(before) is not None
    if re.search(r"[0-9]\.$|[0-9A-Za-z][-_/]$|[¥￥$€£]$", before) and not named:
        return False
    if _SURELY.search(before) or (found["country"] or "0") != "0":
        return True
    return _THING.search(before) is None


def _may_follow(after: str) -> bool:
    """Whether *after* begins with an extension or another number, as behind a named number."""
    return re.match(r"-[0-9]|/[0-9]", after) is not None


def _within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether *place* is in one of the sorted *spans*."""
    at = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return at >= 0 and place < spans[at][1]


def _mask(number: str) -> str:
    """Return the first three and the last four of the digits, with a mask between them."""
    digits = re.sub(r"[^0-9+零〇一二三四五六七八九幺]", "", number)
    return f"{digits[: 4 if digits[0] == '+' else 3]}****{digits[-4:]}"
