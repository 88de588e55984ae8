# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""HTTP requests, good, odd and malformed, for two servers with the same models."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from typing import Final

import numpy as np

from tests.conformance.http_extensions import generations, settings
from tests.conformance.http_models import HALVES, TYPES, HttpCase, infer, one, wanting, with_inputs

NUMBERS: Final = (
    "0." + "0" * 23, "-0." + "0" * 30, "0e-30", "0.0e-40", "0.0e+40", "0E-400", "1e-400", "0.1e-320", "-0", "1e400",
    "-1e400", "0e400", "123456789012345678901234567890", "2.2250738585072014e-308", "1.7976931348623157e308",
    "0.1234567890123456789012345678901234567890", "1.0e", "01", "+1", ".5",
)  # fmt: skip
"""Forms of numbers, some of which are none."""


def routes() -> Iterator[HttpCase]:
    gets = [
        "/v2", "/v2/", "/v2/health/live", "/v2/health/ready", "/v2/health/dead", "/v2/models/m_INT32/ready",
        "/v2/models/m_INT32/versions/1/ready", "/v2/models/m_INT32/versions/2/ready", "/v2/models/nobody/ready",
        "/v2/models/m_INT32/versions/one/ready", "/v2/models/m_INT32", "/v2/models/m_INT32/versions/1",
        "/v2/models/m_INT32/versions/7", "/v2/models/nobody", "/v2/models/m_INT32/config", "/v2/models/nobody/config",
        "/v2/models/m_INT32/versions/1/config", "/v2/models/m_INT32/stats", "/v2/models/stats",
        "/v2/models/nobody/stats", "/v2/models/m_INT32/versions/3/stats", "/v2/models/m_INT32/versions", "/", "/v1",
        "/v2/models/m_INT32/nothing", "/v2/models", "/v2/repository/index", "/v2/systemsharedmemory/status",
        "/v2/systemsharedmemory/region/none/status", "/v2/models/m%5FINT32", "/v2/models/m_INT32?x=1",
        "/v2/models/m_INT32/infer", "/v2/models/m_INT32/versions/1/infer", "/v3/health/live",
    ]  # fmt: skip
    yield from (HttpCase(f"GET {path}", path, method="GET") for path in gets)
    posts = [
        "/v2/health/live", "/v2", "/v2/models/m_INT32", "/v2/models/m_INT32/config", "/v2/models/m_INT32/ready",
        "/v2/repository/index", "/v2/repository/models/nobody/unload", "/v2/repository/models/nobody/load",
        "/v2/repository/models/plain/load", "/v2/repository/models/plain/unload", "/v2/repository/models/plain/load",
        "/v2/repository/models/plain/reload", "/v2/repository", "/v2/systemsharedmemory/status",
        "/v2/systemsharedmemory/region/none/unregister", "/v2/systemsharedmemory/unregister",
        "/v2/models/nobody/infer", "/v2/models/m_INT32/versions/2/infer", "/v2/models/m_INT32/versions/x/infer",
    ]  # fmt: skip
    yield from (HttpCase(f"POST {path}", path) for path in posts)
    for path in ("status", "region/none/status"):
        yield HttpCase(f"GET CUDA memory, {path}", f"/v2/cudasharedmemory/{path}", method="GET")
    for path in ("unregister", "region/none/unregister", "region/none/register"):
        yield HttpCase(f"POST CUDA memory, {path}", f"/v2/cudasharedmemory/{path}", body=b"{}")
    handle = {"raw_handle": {"b64": "A" * 86 + "=="}, "device_id": 0, "byte_size": 16}
    for changes in ({}, {"raw_handle": {"b64": "!"}}, {"raw_handle": "AA"}, {"device_id": -1}, {"byte_size": "x"}):
        told = {**handle, **changes}
        yield HttpCase(
            f"register CUDA memory {told}", "/v2/cudasharedmemory/region/r/register", body=json.dumps(told).encode()
        )
    yield HttpCase("index of what is ready", "/v2/repository/index", body=b'{"ready": true}')
    yield HttpCase("index, no JSON", "/v2/repository/index", body=b"{ready")
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        yield HttpCase(f"{method} a model", "/v2/models/m_INT32", method=method)
        yield HttpCase(f"{method} an inference", "/v2/models/m_INT32/infer", method=method)


def values() -> Iterator[HttpCase]:
    """Every type in every form."""
    for name, (dtype, data) in TYPES.items():
        model = f"m_{name}"
        array = np.array(data, dtype)
        yield infer(f"{name} flat", with_inputs(one(data, datatype=name)), model=model)
        yield infer(f"{name} nested", with_inputs(one([data], datatype=name)), model=model)
        yield infer(f"{name} two rows", with_inputs(one([data, data], datatype=name, shape=[2, 4])), model=model)
        sized = one(None, datatype=name, parameters={"binary_data_size": array.nbytes})
        yield infer(f"{name} binary", with_inputs(sized), model=model, binary=array.tobytes())
        wish = {"outputs": [wanting(binary_data=True)]}
        yield infer(f"{name} binary out", with_inputs(one(data, datatype=name), **wish), model=model)
        yield infer(f"{name} binary both", with_inputs(sized, **wish), model=model, binary=array.tobytes())
        raw = HttpCase(
            f"{name} raw", f"/v2/models/{model}/infer", body=array.tobytes(),
            headers={"Inference-Header-Content-Length": "0"},
        )  # fmt: skip
        yield raw
        for classes in (1, 3, 9):
            wish = {"outputs": [wanting(classification=classes)]}
            yield infer(f"{name} {classes} classes", with_inputs(one(data, datatype=name), **wish), model=model)
        for odd in ("text", None, {}, 1.5, -1, 1 << 70, True):
            told = with_inputs(one([odd, *data[1:]], datatype=name))
            yield infer(f"{name} with {odd!r}", told, model=model)
    for name in HALVES:
        sized = one(None, datatype=name, parameters={"binary_data_size": 8})
        wish = {"outputs": [wanting(binary_data=True)]}
        yield infer(f"{name} binary", with_inputs(sized, **wish), model=f"m_{name}", binary=b"\0<\0@\0B\0D")
        yield infer(f"{name} binary, out in JSON", with_inputs(sized), model=f"m_{name}", binary=b"\0<\0@\0B\0D")
        yield infer(f"{name} in JSON", with_inputs(one([1.0, 2.0, 3.0, 4.0], datatype=name)), model=f"m_{name}")


def texts() -> Iterator[HttpCase]:
    for name, words in {
        "plain": ["a", "bc", "", "d"], "zero": ["a\0b", "\0", "", "x"], "not latin": ["ä", "日本", "🙂", '"\\'],
    }.items():  # fmt: skip
        inputs = one(words, datatype="BYTES")
        yield infer(f"texts, {name}", with_inputs(inputs), model="m_STRING")
        wish = {"outputs": [wanting(binary_data=True)]}
        yield infer(f"texts, {name}, binary out", with_inputs(inputs, **wish), model="m_STRING")
    framed = b"".join(len(word).to_bytes(4, "little") + word for word in (b"a", b"\xff\0", b"", b"xyz"))
    for name, bytes_ in {
        "whole": framed, "short": framed[:-1], "long": framed + b"x", "few": framed[:5], "length beyond": b"\xff" * 8,
    }.items():  # fmt: skip
        sized = one(None, datatype="BYTES", parameters={"binary_data_size": len(bytes_)})
        wish = {"outputs": [wanting(binary_data=True)]}
        yield infer(f"framed texts, {name}", with_inputs(sized, **wish), model="m_STRING", binary=bytes_)
    for odd in (1, None, True, ["a"], {}):
        yield infer(f"texts with {odd!r}", with_inputs(one(["a", odd, "c", "d"], datatype="BYTES")), model="m_STRING")


def bodies() -> Iterator[HttpCase]:
    """What can be wrong with a body."""
    good = one()
    raws = [
        b"", b"{", b"[]", b"null", b"1", b'"text"', b"{}", b'{"inputs": }', b"\xff\xfe", b'{"inputs": [1]}',
        b'{"inputs": {}}', b'{"inputs": [null]}', b'{"inputs": [{}]}', b"[" * 200, b'{"inputs":' + b"[" * 5000,
        json.dumps(with_inputs(good)).encode() + b"x", json.dumps(with_inputs(good)).encode() + b" \n",
        b'{"inputs": [{"name": "INPUT0", "shape": [1, 4], "datatype": "INT32", "data": [1, 2, 3, NaN]}]}',
    ]  # fmt: skip
    yield from (infer(f"body {raw[:40]!r}", raw) for raw in raws)
    for key in ("name", "shape", "datatype", "data"):
        yield infer(f"without {key}", with_inputs(one(**{key: None}) if key != "name" else one(name=None)))
        for odd in (1, "x", [], {}, True, None, 1.5, ["x"], [None]):
            yield infer(f"{key} is {odd!r}", with_inputs({**good, key: odd}))
    for shape in ([4], [1, 5], [2, 4], [9, 4], [0, 4], [-1, 4], [1, 4, 1], [1 << 40, 1 << 40], [1 << 63, 1], [1.0, 4]):
        yield infer(f"shape {shape}", with_inputs(one(shape=shape)))
    for data in ([], [1], [1, 2, 3, 4, 5], [[1, 2], [3, 4]], [[1], [2, 3, 4]], [[[[1, 2, 3, 4]]]], [[], 1, 2, 3, 4]):
        yield infer(f"data {data}", with_inputs(one(data)))
    for type_ in ("FP32", "INT64", "BYTES", "NOTHING", "int32", "TYPE_INT32", ""):
        yield infer(f"type {type_}", with_inputs(one(datatype=type_)))
    yield infer("another name", with_inputs(one(name="OTHER")))
    yield infer("twice the same", with_inputs(good, good))
    yield infer("one too many", with_inputs(good, one(name="INPUT1")))
    yield infer("no inputs", with_inputs())
    yield infer("an id", with_inputs(good, id="abc"))
    for odd in (1, None, [], {}, True):
        yield infer(f"id {odd!r}", with_inputs(good, id=odd))
    for outputs in ([{"name": "OUTPUT0"}], [{"name": "NONE"}], [], {}, None, [1], [{}], [{"name": 1}],
                    [{"name": "OUTPUT0"}, {"name": "OUTPUT0"}], [{"name": "OUTPUT0", "parameters": 1}]):  # fmt: skip
        yield infer(f"outputs {outputs}", with_inputs(good, outputs=outputs))
    yield infer("free shape", with_inputs(one([1.0] * 6, datatype="FP32", shape=[2, 3])), model="free")
    yield infer("empty shape", with_inputs(one([], datatype="FP32", shape=[0, 3])), model="free")
    yield infer("raw of any length", b"\0" * 12, model="flat", Inference_Header_Content_Length="0")
    yield infer("raw of a broken length", b"\0" * 11, model="flat", Inference_Header_Content_Length="0")
    yield infer("raw of free shape", b"\0" * 12, model="free", Inference_Header_Content_Length="0")
    for odd in (float("nan"), float("inf"), float("-inf")):
        told = with_inputs(one([odd, 1.0, 2.0, 3.0], datatype="FP32"))
        yield infer(f"{odd}", told, model="m_FP32")
    for form in NUMBERS:
        text = json.dumps(with_inputs(one([1.5, 2.5, 3.5, 4.5], datatype="FP64"))).replace("1.5", form)
        yield infer(f"the number {form}", text.encode(), model="m_FP64")


def extremes() -> Iterator[HttpCase]:
    """Shapes and nestings beyond what there is."""
    for shape in ([2, -5], [1 << 62, 8]):
        yield infer(f"shape {shape}", with_inputs(one(shape=shape)))
    for depth in (50, 120):
        nested = "[" * depth + "1, 2, 3, 4" + "]" * depth
        text = json.dumps(with_inputs(one([0]))).replace("[0]", nested)
        yield infer(f"data nested {depth} deep", text.encode())


def parameters() -> Iterator[HttpCase]:
    good = one()
    for name, value in [
        ("sequence_id", 5), ("sequence_id", "five"), ("sequence_id", -1), ("sequence_id", 1.5), ("sequence_id", True),
        ("sequence_start", True), ("sequence_start", 1), ("sequence_end", "yes"), ("priority", 1), ("priority", -1),
        ("priority", "high"), ("timeout", 0), ("timeout", 1000000), ("timeout", -5), ("timeout", "soon"),
        ("binary_data_output", True), ("binary_data_output", 1), ("own", "text"), ("own", 1), ("own", 1.5),
        ("own", True), ("own", None), ("own", []), ("own", {}), ("triton_own", 1), ("headers", 1),
    ]:  # fmt: skip
        yield infer(f"parameter {name} {value!r}", with_inputs(good, parameters={name: value}))
    for odd in (1, [], "x", None):
        yield infer(f"parameters {odd!r}", with_inputs(good, parameters=odd))
        yield infer(f"parameters of the input {odd!r}", with_inputs({**good, "parameters": odd}))
    for key, value in [
        ("binary_data", 1), ("binary_data", "yes"), ("classification", 0), ("classification", -1),
        ("classification", "many"), ("classification", 1000), ("other", 1), ("shared_memory_region", "none"),
        ("binary_data", False),
    ]:  # fmt: skip
        yield infer(f"output {key} {value!r}", with_inputs(good, outputs=[wanting(**{key: value})]))


def binaries() -> Iterator[HttpCase]:
    data = np.arange(4, dtype=np.int32).tobytes()
    for size in (16, 15, 17, 0, 8, -1, "16", 1 << 40, 16.0, None):
        sized = one(None, parameters={"binary_data_size": size})
        yield infer(f"binary_data_size {size!r}", with_inputs(sized), binary=data)
    both = {**one(), "parameters": {"binary_data_size": 16}}
    yield infer("data and bytes", with_inputs(both), binary=data)
    yield infer("bytes that nobody wants", with_inputs(one()), binary=data)
    sized = json.dumps(with_inputs(one(None, parameters={"binary_data_size": 16}))).encode()
    for length in ("0", "-1", "x", str(len(sized) + 16), str(len(sized) + 17), str(1 << 62), str(len(sized) - 1), ""):
        yield infer(f"JSON of {length!r} bytes", sized + data, Inference_Header_Content_Length=length)
    region = {"shared_memory_region": "none", "shared_memory_byte_size": 16}
    yield infer("a region that is not there", with_inputs(one(None, parameters=region)))
    yield infer("a region without a size", with_inputs(one(None, parameters={"shared_memory_region": "none"})))
    yield infer("a region and data", with_inputs({**one(), "parameters": region}))


def codings() -> Iterator[HttpCase]:
    text = json.dumps(with_inputs(one())).encode()
    packed = {"gzip": gzip.compress(text, mtime=0), "deflate": zlib.compress(text)}
    for coding, body in packed.items():
        yield infer(f"{coding}", body, Content_Encoding=coding)
        yield infer(f"{coding}, cut short", body[:-12], Content_Encoding=coding)
        yield infer(f"{coding}, not at all", text, Content_Encoding=coding)
        yield infer(f"{coding} back", text, Accept_Encoding=coding)
        sized = json.dumps(with_inputs(one(None, parameters={"binary_data_size": 16}))).encode()
        whole = sized + bytes(16)
        pack = gzip.compress if coding == "gzip" else zlib.compress
        length = {"Inference_Header_Content_Length": str(len(sized))}
        yield infer(f"{coding}, with bytes", pack(whole), Content_Encoding=coding, **length)
    for path in ("/v2/models/m_INT32/stats", "/v2/models/m_INT32", "/v2/models/nobody"):
        yield HttpCase(f"packed, GET {path}", path, method="GET", headers={"Accept-Encoding": "gzip, deflate"})
    yield infer("brotli", text, Content_Encoding="br")
    yield infer("identity", text, Content_Encoding="identity")


def regions() -> Iterator[HttpCase]:
    """What can be wrong with a region of shared memory."""
    path = "/v2/systemsharedmemory/region/r/register"
    for told in (
        {}, {"key": "/none"}, {"key": "/none", "byte_size": 8}, {"key": 1, "byte_size": 8}, {"byte_size": 8},
        {"key": "/none", "byte_size": -8}, {"key": "/none", "byte_size": "8"}, [], 1,
        {"key": "none", "offset": 0, "byte_size": 8},
    ):  # fmt: skip
        yield HttpCase(f"register {told}", path, body=json.dumps(told).encode())
    yield HttpCase("register, no JSON", path, body=b"{")


def all_cases() -> tuple[HttpCase, ...]:
    """All of them, in order: some change what is loaded."""
    makers = (routes, values, texts, bodies, extremes, parameters, binaries, codings, regions, generations, settings)
    return tuple(case for maker in makers for case in maker())
