# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models that answer a request with any number of responses."""

from __future__ import annotations

import time
from typing import Any

import pytest

import workbench as wb
from workbench.errors import InternalError, UnsupportedError

# Answers with the numbers below INPUT0, one response each, then says that it was all. A number below zero is an error.
COUNTER = """
#include <triton/core/tritonbackend.h>
#include <triton/core/tritonserver.h>

#include <chrono>
#include <string>
#include <thread>

namespace {

int32_t InputOf(TRITONBACKEND_Request* request) {
  TRITONBACKEND_Input* input = nullptr;
  TRITONBACKEND_RequestInputByIndex(request, 0, &input);
  const void* base = nullptr;
  uint64_t byte_size = 0;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
  int64_t type_id = 0;
  TRITONBACKEND_InputBuffer(input, 0, &base, &byte_size, &type, &type_id);
  return *static_cast<const int32_t*>(base);
}

void Send(TRITONBACKEND_ResponseFactory* factory, int32_t value) {
  TRITONBACKEND_Response* response = nullptr;
  TRITONBACKEND_ResponseNewFromFactory(&response, factory);
  TRITONBACKEND_Output* output = nullptr;
  const int64_t shape[] = {1};
  TRITONBACKEND_ResponseOutput(response, &output, "OUTPUT0", TRITONSERVER_TYPE_INT32, shape, 1);
  void* buffer = nullptr;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
  int64_t type_id = 0;
  TRITONBACKEND_OutputBuffer(output, &buffer, sizeof(value), &type, &type_id);
  *static_cast<int32_t*>(buffer) = value;
  TRITONBACKEND_ResponseSend(response, 0, nullptr);
}

void Refuse(TRITONBACKEND_ResponseFactory* factory) {
  TRITONBACKEND_Response* response = nullptr;
  TRITONBACKEND_ResponseNewFromFactory(&response, factory);
  TRITONSERVER_Error* error = TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, "no numbers below zero");
  TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error);
  TRITONSERVER_ErrorDelete(error);
}

void Answer(TRITONBACKEND_Request* request) {
  TRITONBACKEND_ResponseFactory* factory = nullptr;
  TRITONBACKEND_ResponseFactoryNew(&factory, request);
  const int32_t count = InputOf(request);
  TRITONBACKEND_RequestRelease(request, TRITONSERVER_REQUEST_RELEASE_ALL);
  bool is_cancelled = false;
  for (int32_t value = 0; value < count && !is_cancelled; ++value) {
    Send(factory, value);
    if (count > 100) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    TRITONBACKEND_ResponseFactoryIsCancelled(factory, &is_cancelled);
  }
  if (count < 0) {
    Refuse(factory);
  } else {
    TRITONBACKEND_ResponseFactorySendFlags(factory, TRITONSERVER_RESPONSE_COMPLETE_FINAL);
  }
  TRITONBACKEND_ResponseFactoryDelete(factory);
}

}  // namespace

extern "C" TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance*,
                                                                  TRITONBACKEND_Request** requests,
                                                                  const uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) Answer(requests[i]);
  return nullptr;
}
"""

CONFIG = """
backend: "counter"
model_transaction_policy { decoupled: true }
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]
"""


@pytest.fixture
def counter(server: wb.Server) -> Any:
    wb.build_backend("counter", COUNTER)
    return server.load("counter", config=CONFIG)


@pytest.mark.parametrize("count", [0, 1, 5, 100])
def test_each_response_is_a_reply(counter: Any, count: int) -> None:
    assert [int(reply["OUTPUT0"][0]) for reply in counter.stream({"INPUT0": count})] == list(range(count))


def test_error_ends_the_stream(counter: Any) -> None:
    with pytest.raises(InternalError, match="below zero"):
        list(counter.stream({"INPUT0": -1}))


def test_leaving_the_stream_cancels_the_request(counter: Any) -> None:
    replies = counter.stream({"INPUT0": 60_000})
    assert int(next(replies)["OUTPUT0"][0]) == 0
    replies.close()
    began = time.monotonic()
    while counter.engine.in_flight():
        assert time.monotonic() - began < 10
        time.sleep(0.001)


def test_one_response_is_a_reply_and_several_are_none(counter: Any) -> None:
    assert int(counter.infer({"INPUT0": 1})["OUTPUT0"][0]) == 0
    with pytest.raises(UnsupportedError, match="3 responses"):
        counter.infer({"INPUT0": 3})
