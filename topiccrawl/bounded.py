"""A dictionary that forgets its oldest entries."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class BoundedDict(OrderedDict[_Key, _Value]):
    """At most *most* entries, >= 1, in the order in which they were set: beyond, the first leaves.

    Setting a key again makes it the last.  Reading does not; where it should, use :meth:`use`.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: _Key, value: _Value) -> None:
        """Set the value of *key*, which becomes the last."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)

    def use(self, key: _Key, make: Callable[[], _Value]) -> _Value:
        """Return the value of *key*, which becomes the last; a missing one is made."""
        if key in self:
            self.move_to_end(key)
        else:
            self[key] = make()
        return self[key]
