"""A cache of the latest entries whose memory hardly changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Recent(Generic[_Key, _Value]):
    """A cache in two halves: when one is full of new entries and of those used again, the other is dropped.

    What is used all the time stays, as with an LRU cache, and look-ups take the time of a dict.  Values must
    not be ``None``.

    Parameters
    ----------
    most
        Entries, >= 2.
    most_characters
        Sum of the lengths of the keys, >= 2.
    length
        Returns the length of a key.
    """

    def __init__(self, most: int, most_characters: int, length: Callable[[_Key], int]) -> None:
        self._most = most // 2
        self._most_characters = most_characters // 2
        self._length = length
        self._present: dict[_Key, _Value] = {}
        self._before: dict[_Key, _Value] = {}
        self._characters = 0

    def __len__(self) -> int:
        """Number of entries; one that is in both halves counts twice."""
        return len(self._present) + len(self._before)

    def find(self, keys: Iterable[_Key]) -> dict[_Key, _Value]:
        """Return the values of those keys that are in the cache."""
        present, before = self._present, self._before
        found: dict[_Key, _Value] = {}
        again: dict[_Key, _Value] = {}
        for key in keys:
            value = present.get(key)
            if value is None:
                value = before.get(key)
                if value is None:
                    continue
                again[key] = value
            found[key] = value
        if again:
            self.add(again)
        return found

    def add(self, entries: Mapping[_Key, _Value]) -> None:
        """Add entries; those of one call are left out if they would not fit into one half."""
        characters = sum(map(self._length, entries))
        if len(entries) > self._most or characters > self._most_characters:
            return
        if (
            len(self._present) + len(entries) > self._most
            or self._characters + characters > self._most_characters
        ):
            self._before, self._present, self._characters = self._present, {}, 0
        self._present.update(entries)
        self._characters += characters
