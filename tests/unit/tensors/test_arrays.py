# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import InvalidArgumentError
from workbench.tensors import DATATYPES, byte_size_of, datatype_of, dtype_of, from_wire, to_wire

NUMERIC = [name for name in DATATYPES if name != "BYTES"]


def round_trip(array: Any) -> np.ndarray[Any, Any]:
    datatype, shape, buffer = to_wire(array)
    return from_wire(datatype, shape, np.frombuffer(memoryview(buffer).tobytes(), np.uint8))


@pytest.mark.parametrize("datatype", NUMERIC)
def test_every_numeric_type_returns_as_it_went(datatype: str) -> None:
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype_of(datatype))
    assert to_wire(array)[0] == datatype
    returned = round_trip(array)
    assert returned.dtype == array.dtype
    np.testing.assert_array_equal(returned, array)


def test_contiguous_array_is_borrowed() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert to_wire(array) == ("FP32", (2, 3), array) or to_wire(array)[2] is array


def test_strided_array_is_copied_in_its_order() -> None:
    array = np.arange(6, dtype=np.int32).reshape(2, 3).T
    np.testing.assert_array_equal(round_trip(array), array)


def test_big_endian_array_is_sent_little_endian() -> None:
    np.testing.assert_array_equal(round_trip(np.array([1, 2], ">i4")), [1, 2])


def test_bf16_has_two_bytes_and_keeps_its_values() -> None:
    array = np.array([1.5, -2.0, math.inf]).astype(dtype_of("BF16"))
    datatype, _, buffer = to_wire(array)
    assert (datatype, memoryview(buffer).nbytes) == ("BF16", 6)
    np.testing.assert_array_equal(round_trip(array), array)


def test_scalar_array_keeps_its_empty_shape() -> None:
    assert round_trip(np.float32(3)).shape == ()
    assert round_trip(np.array(3, ">f4")).shape == ()


def test_array_without_elements_keeps_its_shape() -> None:
    assert round_trip(np.zeros((0, 4), np.float32)).shape == (0, 4)
    assert from_wire("FP32", (0, 4), b"").shape == (0, 4)


def test_bytes_element_is_length_then_data() -> None:
    assert bytes(to_wire(np.array([b"ab"], np.object_))[2]) == b"\x02\x00\x00\x00ab"
    assert from_wire("BYTES", (1,), b"\x02\x00\x00\x00ab").tolist() == [b"ab"]


@pytest.mark.parametrize("raw", [b"\x02\x00\x00\x00a", b"\x02\x00\x00", b"\x02\x00\x00\x00ab\x01"])
def test_bytes_that_are_cut_short_are_refused(raw: bytes) -> None:
    with pytest.raises(InvalidArgumentError, match="cut short"):
        from_wire("BYTES", (1,), raw)


def test_bytes_of_another_count_than_the_shape_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="needs 2 elements; its bytes hold 1"):
        from_wire("BYTES", (2,), b"\x01\x00\x00\x00a")


@given(st.lists(st.binary(max_size=20), max_size=10))
def test_bytes_keep_nul_and_every_other_byte(elements: list[bytes]) -> None:
    array = np.empty(len(elements), np.object_)
    array[:] = elements
    assert round_trip(array).tolist() == elements


@pytest.mark.parametrize("array", [["grüße", "a\0b"], np.array(["grüße", "a\0b"]), np.array(["grüße", "a\0b"], object)])
def test_text_is_sent_as_utf8(array: Any) -> None:
    assert [element.decode() for element in round_trip(array)] == ["grüße", "a\0b"]


def test_trailing_nul_of_a_listed_string_is_kept() -> None:
    assert round_trip([b"a\0"]).tolist() == [b"a\0"]


@pytest.mark.parametrize("value", [[1], [None], [{}]])
def test_element_that_is_no_string_is_refused(value: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="str or bytes"):
        to_wire(np.array(value, np.object_))


def test_size_that_does_not_fit_the_shape_is_refused_with_both_sizes() -> None:
    with pytest.raises(InvalidArgumentError, match=r"shape \[1, 5\] has 20 bytes; got 28"):
        from_wire("FP32", (1, 5), np.zeros(28, np.uint8))


def test_type_outside_the_protocol_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="complex128"):
        to_wire(np.zeros(2, np.complex128))
    with pytest.raises(InvalidArgumentError, match="FP33"):
        dtype_of("FP33")


def test_ragged_lists_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="no array"):
        to_wire([[1, 2], [3]])


def test_array_that_speaks_dlpack_is_borrowed() -> None:
    class Tensor:
        def __init__(self, array: np.ndarray[Any, Any]) -> None:
            self.array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    array = np.arange(3, dtype=np.float32)
    buffer = to_wire(Tensor(array))[2]
    assert isinstance(buffer, np.ndarray)
    assert np.shares_memory(buffer, array)


def test_returned_numeric_tensor_is_a_view_of_the_bytes() -> None:
    raw = np.zeros(8, np.uint8)
    assert np.shares_memory(from_wire("FP32", (2,), raw), raw)


def test_byte_sizes_are_those_of_the_protocol() -> None:
    assert [byte_size_of(name) for name in ("BOOL", "FP16", "BF16", "INT64", "BYTES")] == [1, 2, 2, 8, 0]
    assert datatype_of(np.dtype("U3")) == "BYTES"
