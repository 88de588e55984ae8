# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""gRPC requests, good, odd and malformed, for two servers with the same models."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
from tritonclient.grpc import service_pb2 as pb

from tests.conformance.grpc_management import management, memory_and_settings
from tests.conformance.grpc_requests import FOUR, HEALTH, GrpcCase, a_request, call, stream, with_output, with_parameter
from tests.conformance.http_models import HALVES, TYPES


def values() -> Iterator[GrpcCase]:
    """Every type, raw and typed."""
    for name, (dtype, data) in TYPES.items():
        model, raw = f"m_{name}", np.array(data, dtype).tobytes()
        told: dict[str, Any] = {"model": model, "datatype": name}
        yield call(f"{name} raw", "ModelInfer", a_request([raw], **told))
        yield call(f"{name} two rows", "ModelInfer", a_request([raw + raw], shape=[2, 4], **told))
        yield call(f"{name} typed", "ModelInfer", a_request(contents=data, **told))
        yield call(f"{name} too few typed", "ModelInfer", a_request(contents=data[:3], **told))
        yield call(f"{name} too many typed", "ModelInfer", a_request(contents=[*data, data[0]], **told))
        yield call(f"{name} one byte short", "ModelInfer", a_request([raw[:-1]], **told))
        classes = pb.InferParameter(int64_param=2)
        yield call(f"{name} classes", "ModelInfer", with_output(a_request([raw], **told), classification=classes))
    for name in HALVES:
        told = {"model": f"m_{name}", "datatype": name}
        yield call(f"{name} raw", "ModelInfer", a_request([b"\0<\0@\0B\0D"], **told))
        yield call(f"{name} typed", "ModelInfer", a_request(contents=[1.0] * 4, field="fp32_contents", **told))
    texts = [b"a", b"", b"c\0", "日本".encode()]
    framed = b"".join(struct.pack("<I", len(text)) + text for text in texts)
    told = {"model": "m_STRING", "datatype": "BYTES"}
    yield call("texts typed", "ModelInfer", a_request(contents=texts, **told))
    for name, raw in {"whole": framed, "short": framed[:-1], "long": framed + b"x", "few": framed[:5], "none": b"",
                      "length beyond": b"\xff" * 8}.items():  # fmt: skip
        yield call(f"framed texts, {name}", "ModelInfer", a_request([raw], **told))
    yield call("values out of range", "ModelInfer",
               a_request(contents=[300, -300, 1, 2], model="m_INT8", datatype="INT8"))  # fmt: skip


def oddities() -> Iterator[GrpcCase]:
    """What can be wrong with an inference."""
    for shape in ([4], [1, 5], [2, 4], [9, 4], [0, 4], [-1, 4], [1, 4, 1], [1 << 40, 1 << 40], [1 << 62, 8], []):
        yield call(f"shape {shape}", "ModelInfer", a_request(shape=shape))
    for datatype in ("FP32", "INT64", "BYTES", "NOTHING", "int32", "TYPE_INT32", ""):
        yield call(f"type {datatype!r}", "ModelInfer", a_request(datatype=datatype))
    for field in ("int64_contents", "fp32_contents", "bytes_contents"):
        elements = [b"1"] * 4 if field == "bytes_contents" else [1] * 4
        yield call(f"INT32 in {field}", "ModelInfer", a_request(contents=elements, field=field))
    for raw in ((), (b"",), (FOUR, FOUR), (FOUR + b"x",)):
        yield call(f"raw {[len(one) for one in raw]}", "ModelInfer", a_request(raw))
    yield call("raw and typed", "ModelInfer", a_request([FOUR, b""], contents=[1, 2, 3, 4]))
    yield call("another name", "ModelInfer", a_request(name="OTHER"))
    yield call("no inputs", "ModelInfer", pb.ModelInferRequest(model_name="m_INT32"))
    twice = a_request([FOUR, FOUR])
    twice.inputs.add(name="INPUT0", datatype="INT32", shape=[1, 4])
    yield call("twice the same", "ModelInfer", twice)
    for version in ("1", "2", "x", "-1", "0"):
        yield call(f"version {version}", "ModelInfer", a_request(model_version=version))
    yield call("nobody", "ModelInfer", a_request(model="nobody"))
    yield call("an id", "ModelInfer", a_request(id="abc"))
    for names in (["OUTPUT0"], ["NONE"], ["OUTPUT0", "OUTPUT0"], [""]):
        request = a_request()
        for name in names:
            with_output(request, name)
        yield call(f"outputs {names}", "ModelInfer", request)
    yield call("free shape", "ModelInfer", a_request([b"\0" * 24], model="free", shape=[2, 3], datatype="FP32"))
    yield call("empty shape", "ModelInfer", a_request([b""], model="free", shape=[0, 3], datatype="FP32"))
    yield call("no batches", "ModelInfer", a_request(model="plain", shape=[4]))


def parameters() -> Iterator[GrpcCase]:
    for key, value in [
        ("sequence_id", {"int64_param": 5}),
        ("sequence_id", {"string_param": "five"}),
        ("sequence_id", {"int64_param": -1}),
        ("sequence_id", {"bool_param": True}),
        ("sequence_id", {"double_param": 1.5}),
        ("sequence_id", {"uint64_param": 5}),
        ("sequence_start", {"bool_param": True}),
        ("sequence_start", {"int64_param": 1}),
        ("sequence_end", {"string_param": "x"}),
        ("priority", {"uint64_param": 1}),
        ("priority", {"int64_param": 1}),
        ("priority", {"int64_param": -1}),
        ("priority", {"string_param": "x"}),
        ("timeout", {"int64_param": 0}),
        ("timeout", {"int64_param": 1000000}),
        ("timeout", {"uint64_param": 1000000}),
        ("timeout", {"string_param": "x"}),
        ("timeout", {"int64_param": -5}),
        ("own", {"string_param": "x"}),
        ("own", {"int64_param": 1}),
        ("own", {"bool_param": True}),
        ("own", {"double_param": 1.5}),
        ("own", {"uint64_param": 1}),
        ("own", {}),
        ("triton_own", {"int64_param": 1}),
        ("headers", {"int64_param": 1}),
        ("binary_data_output", {"bool_param": True}),
        ("triton_enable_empty_final_response", {"bool_param": True}),
        ("triton_enable_empty_final_response", {"string_param": "x"}),
        ("triton_final_response", {"bool_param": True}),
    ]:
        yield call(f"parameter {key} {value}", "ModelInfer", with_parameter(a_request(), key, **value))
    for key, value in [
        ("classification", {"int64_param": 0}),
        ("classification", {"int64_param": -1}),
        ("classification", {"string_param": "x"}),
        ("classification", {"int64_param": 1000}),
        ("other", {"int64_param": 1}),
        ("binary_data", {"bool_param": False}),
        ("shared_memory_region", {"string_param": "none"}),
        ("shared_memory_region", {"int64_param": 1}),
    ]:
        request = with_output(a_request(), **{key: pb.InferParameter(**value)})
        yield call(f"output {key} {value}", "ModelInfer", request)
    for region in ({"shared_memory_region": "none", "shared_memory_byte_size": 16}, {"shared_memory_region": "none"}):
        for raw in ((), (FOUR,)):
            request = a_request(raw)
            for key, content in region.items():
                field = "string_param" if isinstance(content, str) else "int64_param"
                setattr(request.inputs[0].parameters[key], field, content)
            yield call(f"{sorted(region)} and {len(raw)} raw", "ModelInfer", request)
    odd = a_request()
    odd.inputs[0].parameters["own"].int64_param = 1
    yield call("a parameter of the input", "ModelInfer", odd)


def malformed() -> Iterator[GrpcCase]:
    """What is no message, or hardly one."""
    good = a_request(id="abc").SerializeToString()
    yield call("no bytes", "ModelInfer", b"")
    yield from (call(f"cut after {size} bytes", "ModelInfer", good[:size]) for size in range(1, len(good), 3))
    broken = {
        "a field without end": b"\x0a\xff\xff\xff\xff\x0f",
        "a number without end": b"\x80" * 11,
        "an unknown field": good + b"\xfa\x3f\x03abc",
        "an unknown number": good + b"\xf8\x3f\x01",
        "a group": good + b"\xfb\x3f\xfc\x3f",
        "a group without end": good + b"\xfb\x3f",
        "the end of no group": good + b"\xfc\x3f",
        "field 0": good + b"\x02\x01x",
        "wire type 6": good + b"\x0e\x01",
        "a name as a number": good + b"\x08\x01",
        "a name that is not UTF-8": b"\x0a\x02\xff\xfe",
        "an id that is not UTF-8": good + b"\x1a\x01\xff",
        "a name twice": good + b"\x0a\x06m_BOOL",
        "zeros": b"\0" * 16,
        "text": b'{"model_name": "m_INT32"}',
        "packed shape cut short": b"\x0a\x07m_INT32\x2a\x07\x0a\x01I\x1a\x02\x80\x80",
        "deep groups": b"\xfb\x3f" * 200,
    }
    yield from (call(name, "ModelInfer", raw) for name, raw in broken.items())
    for method in ("ServerLive", "ModelReady", "RepositoryModelLoad", "ModelStatistics", "TraceSetting", "LogSettings",
                   "SystemSharedMemoryRegister"):  # fmt: skip
        yield call(f"{method} of half a field", method, b"\x0a\x7f")
    yield GrpcCase("health of half a field", f"{HEALTH}Check", (b"\x0a\x7f",))


def streams() -> Iterator[GrpcCase]:
    """Several messages of one stream; of an error the stream tells no code."""
    good = a_request(id="1")
    final = with_parameter(a_request(id="f"), "triton_enable_empty_final_response", bool_param=True)
    odd = with_parameter(a_request(id="o"), "triton_enable_empty_final_response", string_param="x")
    yield stream("nothing")
    yield stream("one", good)
    yield stream("three", good, a_request(id="2"), a_request(id="3"))
    yield stream("final flags", final, good)
    yield stream("a final flag that is no truth", odd)
    yield stream("an unknown model between", good, a_request(model="nobody", id="2"), a_request(id="3"))
    yield stream("a wrong shape", a_request(shape=[1, 5], id="w"))
    yield stream("a wrong version", a_request(model_version="x", id="w"))
    yield stream("raw that is missing", a_request((), id="w"))
    yield stream("a sequence without a start", with_parameter(a_request(id="s"), "sequence_id", int64_param=3))
    yield stream("no message", b"\x0a\x7f")
    yield stream("an empty message", b"")


def all_cases() -> tuple[GrpcCase, ...]:
    """All of them, in order: some change what is loaded."""
    makers = (management, memory_and_settings, values, oddities, parameters, malformed, streams)
    return tuple(case for maker in makers for case in maker())
