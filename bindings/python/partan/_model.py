"""Models of support vector machines: what the library trained or read, for estimators to keep."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from ._arrays import Array
from ._certificate import Certificate, certificate_of
from ._context import Context
from ._core import ffi, lib
from ._labels import classes_from_texts
from ._stored import Stored


class Model(Stored):
    """A support vector machine, or several of them for more than two classes."""

    name = "model"
    formats = {"native": lib.PARTAN_MODEL_NATIVE, "libsvm": lib.PARTAN_MODEL_LIBSVM}

    # ---- What it says of itself ----

    @cached_property
    def certificate(self) -> Certificate:
        """The worst of all machines."""
        settings = self.settings
        return certificate_of(lib.partan_model_result(self.handle), settings.tol)

    @cached_property
    def certificates(self) -> list[Certificate]:
        """One for each machine."""
        return [certificate_of(machine.result, self.settings.tol) for machine in self._machines()]

    @property
    def settings(self) -> Any:
        """partan_settings, with gamma as a number."""
        return lib.partan_model_settings(self.handle)

    @property
    def features(self) -> int:
        """How many features it was trained with."""
        return int(lib.partan_model_features(self.handle))

    @property
    def feature_names(self) -> list[str] | None:
        """Their names; None if there are none."""
        names = [lib.partan_model_feature_name(self.handle, i) for i in range(self.features)]
        return [ffi.string(name).decode() for name in names] if names and all(names) else None

    @property
    def outputs(self) -> int:
        """Machines: decision values of each row."""
        return int(lib.partan_model_outputs(self.handle))

    @cached_property
    def classes(self) -> np.ndarray[Any, Any]:
        """The labels of the classes."""
        count = int(lib.partan_model_class_count(self.handle))
        texts = [ffi.string(lib.partan_model_label_text(self.handle, i)).decode() for i in range(count)]
        numbers = [lib.partan_model_label(self.handle, i) for i in range(count)]
        return classes_from_texts(texts, numbers, bool(lib.partan_model_has_words(self.handle)))

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The positive and the negative class of each machine; -1: all others."""
        return [(machine.positive, machine.negative) for machine in self._machines()]

    @cached_property
    def intercepts(self) -> np.ndarray[Any, Any]:
        """The bias of each machine."""
        return np.array([machine.bias for machine in self._machines()])

    @cached_property
    def iterations(self) -> np.ndarray[Any, Any]:
        """Of each machine."""
        return np.array([machine.result.iterations for machine in self._machines()], dtype=np.int64)

    def _machines(self) -> list[Any]:
        machines = []
        for i in range(self.outputs):
            machine = ffi.new("partan_machine *")
            lib.partan_machine_init_sized(machine, ffi.sizeof("partan_machine"))
            lib.partan_model_machine(self.handle, i, machine)
            machines.append(machine)
        return machines

    # ---- Support vectors ----

    @property
    def support_count(self) -> int:
        """How many support vectors there are."""
        return int(lib.partan_model_support_count(self.handle))

    @cached_property
    def support(self) -> np.ndarray[Any, Any]:
        """Their rows in the training data."""
        rows = np.empty(self.support_count, dtype=np.int64)
        lib.partan_model_support_rows(self.handle, ffi.from_buffer("int64_t[]", rows))
        return rows

    @cached_property
    def coefficients(self) -> np.ndarray[Any, Any]:
        """Their coefficients, a row for each machine."""
        values = np.empty((self.outputs, self.support_count))
        lib.partan_model_coefficients(self.handle, ffi.from_buffer("double[]", values))
        return values

    @cached_property
    def vectors(self) -> np.ndarray[Any, Any]:
        """Their features, dense."""
        values = np.empty((self.support_count, self.features), dtype=np.float32)
        lib.partan_model_support_vectors(self.handle, ffi.from_buffer("float[]", values))
        return values

    @cached_property
    def sparse_vectors(self) -> Any:
        """Their features, as compressed rows."""
        offsets = np.zeros(self.support_count + 1, dtype=np.int64)
        start = ffi.from_buffer("int64_t[]", offsets)
        lib.partan_model_support_sparse(self.handle, start, ffi.NULL, ffi.NULL)
        indices = np.empty(offsets[-1], dtype=np.int32)
        values = np.empty(offsets[-1], dtype=np.float32)
        lib.partan_model_support_sparse(
            self.handle, start, ffi.from_buffer("int32_t[]", indices), ffi.from_buffer("float[]", values)
        )
        return sparse.csr_matrix((values, indices, offsets), shape=(self.support_count, self.features))

    # ---- Prediction ----

    def decision(self, context: Context, matrix: Any) -> np.ndarray[Any, Any]:
        """The decision values of rows, one for each machine."""
        array = Array(matrix)
        values = np.empty((array.rows, self.outputs))
        predict = lib.partan_predict_sparse if array.is_sparse else lib.partan_predict_dense
        context.finish(predict, self.handle, array.struct, ffi.from_buffer("double[]", values))
        return values

    def decide(self, decision: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The numbers of the classes that decision values stand for."""
        decision = np.ascontiguousarray(decision, dtype=np.float64)
        classes = np.empty(len(decision), dtype=np.int32)
        lib.partan_decide_rows(
            self.handle, ffi.from_buffer("double[]", decision), len(decision), ffi.from_buffer("int32_t[]", classes)
        )
        return classes
