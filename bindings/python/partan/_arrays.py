"""Arrays of NumPy and SciPy as the library sees them, without copies where the layout allows."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ._context import Context
from ._core import ffi, lib
from ._labels import Labels

_TYPES = {
    np.dtype(np.float32): lib.PARTAN_FLOAT32,
    np.dtype(np.float64): lib.PARTAN_FLOAT64,
    np.dtype(np.int32): lib.PARTAN_INT32,
    np.dtype(np.int64): lib.PARTAN_INT64,
}


def plain(array: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """An array in C order and aligned, as plain C code reads it; the same one, if it is so already."""
    return np.require(array, dtype=dtype, requirements=["C_CONTIGUOUS", "ALIGNED"])


class Array:
    """A matrix as a struct of the library, and what must stay alive for it: `is_sparse`, `struct`, `rows`."""

    def __init__(self, matrix: Any) -> None:
        self.rows, self.features = matrix.shape
        self.is_sparse = sparse.issparse(matrix)
        self.kept: list[Any] = []
        self.struct = self._sparse(matrix) if self.is_sparse else self._dense(matrix)

    def _address(self, array: np.ndarray[Any, Any]) -> Any:
        """Arrays may be read-only and of any strides, which from_buffer would refuse."""
        self.kept.append(array)
        return ffi.cast("void *", array.__array_interface__["data"][0])

    def _dense(self, matrix: np.ndarray[Any, Any]) -> Any:
        size = matrix.itemsize
        if not matrix.flags.aligned or any(stride % size for stride in matrix.strides):
            matrix = matrix.copy(order="C")
        struct = ffi.new("partan_dense *")
        lib.partan_dense_init_sized(struct, ffi.sizeof("partan_dense"))
        struct.values = self._address(matrix)
        struct.type = _TYPES[matrix.dtype]
        struct.rows, struct.features = matrix.shape
        struct.row_stride, struct.column_stride = (stride // size for stride in matrix.strides)
        return struct

    def _sparse(self, matrix: Any) -> Any:
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        struct = ffi.new("partan_sparse *")
        lib.partan_sparse_init_sized(struct, ffi.sizeof("partan_sparse"))
        struct.order = lib.PARTAN_CSC if matrix.format == "csc" else lib.PARTAN_CSR
        struct.rows, struct.features = matrix.shape
        offsets, indices = _indices(matrix.indptr), _indices(matrix.indices)
        values = plain(matrix.data, matrix.dtype)
        struct.count = min(len(indices), len(values))
        for name, array in (("offset", offsets), ("index", indices), ("value", values)):
            setattr(struct, f"{name}_type", _TYPES[array.dtype])
        struct.offsets, struct.indices, struct.values = map(self._address, (offsets, indices, values))
        return struct


def _indices(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    kind = array.dtype if array.dtype in (np.dtype(np.int32), np.dtype(np.int64)) else np.dtype(np.int64)
    return plain(array, kind)


class Data:
    """A data set of the library. It may use the arrays in place, and keeps them alive."""

    def __init__(
        self,
        context: Context,
        matrix: Any,
        labels: Labels | None = None,
        target: np.ndarray[Any, Any] | None = None,
        weights: np.ndarray[Any, Any] | None = None,
        names: np.ndarray[Any, Any] | None = None,
        precomputed: bool = False,
    ) -> None:
        self.context = context
        self.array = Array(matrix)
        options = ffi.new("partan_array_options *")
        lib.partan_array_options_init_sized(options, ffi.sizeof("partan_array_options"))
        options.borrow = 1
        options.precomputed = precomputed
        kept = [_fill_labels(options, labels, target)]
        if weights is not None:
            kept.append(plain(weights, np.float64))
            options.weights = ffi.from_buffer("double[]", kept[-1])
        if names is not None:
            kept.append(TextArray([str(name) for name in names]))
            options.feature_names = kept[-1].pointers
        made = ffi.new("partan_data **")
        make = lib.partan_data_from_sparse if self.array.is_sparse else lib.partan_data_from_dense
        context.finish(make, self.array.struct, options, made)
        self.handle = made[0]

    def __del__(self) -> None:
        handle, self.handle = getattr(self, "handle", None), None
        if handle:
            lib.partan_data_free(handle)

    @property
    def is_borrowed(self) -> bool:
        """Whether values and indices are those of the caller's arrays."""
        return bool(lib.partan_data_is_borrowed(self.handle))


class TextArray:
    """Texts as an array of pointers: `pointers`, valid as long as this object lives. `order` repeats and sorts them."""

    def __init__(self, texts: list[str], order: np.ndarray[Any, Any] | None = None) -> None:
        for text in texts:
            if "\0" in text:
                raise ValueError(f"found a NUL character in {text!r}, expected text without")
        self._texts = [ffi.new("char[]", text.encode()) for text in texts]
        addresses = np.array([int(ffi.cast("uintptr_t", text)) for text in self._texts], dtype=np.uintp)
        self._addresses = addresses if order is None else addresses[order]
        self.pointers = ffi.cast("const char *const *", self._addresses.__array_interface__["data"][0])


def _fill_labels(options: Any, labels: Labels | None, target: np.ndarray[Any, Any] | None) -> Any:
    kept: Any = None
    if target is not None:
        kept = plain(target, np.float64)
        options.labels = ffi.from_buffer("double[]", kept)
    elif labels is not None and labels.are_words:
        kept = TextArray(labels.texts(), labels.numbers)
        options.words = kept.pointers
    elif labels is not None:
        kept = labels.values()
        options.labels = ffi.from_buffer("double[]", kept)
    return kept
