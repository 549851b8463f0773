"""Patterns that are searched fast.

A search looks for the first characters of a pattern, and tries the pattern only there, if each of its alternatives
begins with a letter, or all of it with one class of characters; and if case counts. Else it tries the whole pattern
at each character, which takes several times as long.
"""

from __future__ import annotations


def words(*patterns: str) -> str:
    """Return a pattern of alternatives that begin where a word begins.

    The border of the word is tested behind the first letter, for the sake of the search.

    >>> words("page", "next")
    'p(?<!\\\\wp)age|n(?<!\\\\wn)ext'

    Parameters
    ----------
    *patterns : str
        Patterns whose first character is a letter that stands for itself.
    """
    return "|".join(rf"{it[0]}(?<!\w{it[0]}){it[1:]}" for it in patterns)
