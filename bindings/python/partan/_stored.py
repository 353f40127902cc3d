"""Handles of models of any kind: their life, their bytes and their files."""

from __future__ import annotations

import os
import threading
from typing import Any, TypeVar

from ._context import Context
from ._core import ffi, lib

Kind = TypeVar("Kind", bound="Stored")


class Stored:
    """A model of the library. It never changes, and can be pickled and used by several threads at once.

    Subclasses say what the library calls them (`name`, as in partan_NAME_free) and which formats of files they have.
    """

    name: str
    formats: dict[str, int] = {}

    def __init__(self, context: Context, handle: Any) -> None:
        self._context = context  # which made it, and must outlive it
        self._lock = threading.Lock()  # writing a model uses its context
        self.handle = handle

    @classmethod
    def _function(cls, verb: str) -> Any:
        return getattr(lib, f"partan_{cls.name}_{verb}")

    def __del__(self) -> None:
        handle, self.handle = getattr(self, "handle", None), None
        if handle:
            self._function("free")(handle)

    @classmethod
    def from_bytes(cls: type[Kind], content: bytes) -> Kind:
        """A model from the bytes of a model file."""
        context = Context(n_jobs=1)
        made = ffi.new(f"partan_{cls.name} **")
        context.finish(cls._function("from_memory"), ffi.from_buffer(content), len(content), made)
        return cls(context, made[0])

    @classmethod
    def from_file(cls: type[Kind], context: Context, file: Any) -> Kind:
        """A model from a file of its kind, which was read into memory."""
        made = ffi.new(f"partan_{cls.name} **")
        context.finish(cls._function("from_file"), file, made)
        return cls(context, made[0])

    def to_bytes(self) -> bytes:
        """The bytes of a model file, which restore the model exactly."""
        content, size = ffi.new("char **"), ffi.new("size_t *")
        form = (self.formats["native"],) if self.formats else ()
        with self._lock:
            self._context.finish(self._function("to_memory"), self.handle, *form, content, size)
            try:
                return bytes(ffi.buffer(content[0], size[0]))
            finally:
                lib.partan_free(self._context.handle, content[0])

    def write(self, path: str | os.PathLike[str], form: str = "native") -> None:
        """Writes a model file."""
        if form != "native" and form not in self.formats:
            raise ValueError(f"format takes {', '.join(self.formats or ('native',))}, not {form!r}")
        chosen = (self.formats[form],) if self.formats else ()
        with self._lock:
            self._context.finish(self._function("write"), self.handle, os.fsencode(path), *chosen)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __deepcopy__(self: Kind, memo: dict[int, Any]) -> Kind:
        return self
