"""The library's functions and types, by the names of its headers (include/partan)."""

from typing import Any

ffi: Any
lib: Any
