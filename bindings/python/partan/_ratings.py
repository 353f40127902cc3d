"""Known entries of a matrix, for the library."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ._arrays import plain
from ._context import Context
from ._core import ffi, lib


class Ratings:
    """Entries of a matrix of this shape; without values, entries to predict."""

    def __init__(
        self,
        context: Context,
        shape: tuple[int, ...],
        rows: np.ndarray[Any, Any],
        columns: np.ndarray[Any, Any],
        values: np.ndarray[Any, Any] | None,
    ) -> None:
        self.context = context
        rows, columns = (plain(places, np.int64) for places in (rows, columns))
        given = ffi.NULL
        if values is not None:
            values = plain(values, np.float64)
            given = ffi.from_buffer("double[]", values)
        made = ffi.new("partan_ratings **")
        context.finish(
            lib.partan_ratings_from_triplets,
            *shape,
            ffi.from_buffer("int64_t[]", rows),
            ffi.from_buffer("int64_t[]", columns),
            given,
            len(rows),
            made,
        )
        self.handle = made[0]

    def __del__(self) -> None:
        handle, self.handle = getattr(self, "handle", None), None
        if handle:
            lib.partan_ratings_free(handle)

    @classmethod
    def of_matrix(cls, context: Context, matrix: Any) -> Ratings:
        """The known entries of a matrix."""
        rows, columns, values = cls.entries_of(matrix)
        return cls(context, matrix.shape, rows, columns, values)

    @staticmethod
    def entries_of(matrix: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Rows, columns and values of the known entries: not NaN, and stored if the matrix is sparse."""
        if sparse.issparse(matrix):
            matrix = matrix.tocoo(copy=True)
            matrix.sum_duplicates()
            known = ~np.isnan(matrix.data)
            return matrix.row[known], matrix.col[known], matrix.data[known]
        rows, columns = np.nonzero(~np.isnan(matrix))
        return rows, columns, matrix[rows, columns]

    @staticmethod
    def places(rows: Any, columns: Any) -> np.ndarray[Any, Any]:
        """Rows and columns to predict, checked."""
        places = np.stack(np.broadcast_arrays(np.atleast_1d(rows), np.atleast_1d(columns)))
        if places.ndim != 2 or (places.size and places.dtype.kind not in "iu"):
            raise ValueError("rows and columns take whole numbers, as many of one as of the other")
        if places.size and places.min() < 0:
            raise ValueError(f"rows and columns count from 0, found {places.min()}")
        return places
