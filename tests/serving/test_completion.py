# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A backend completes its model's configuration, and reads it back at once."""

from __future__ import annotations

import json

import workbench as wb
from workbench.build import build_backend
from workbench.config import parse_config, to_json

COMPLETES = """
#include "triton/core/tritonbackend.h"
#include <string>

const char* const kTold = R"({"max_batch_size":4,"input":[{"name":"IN","data_type":"TYPE_FP32","dims":[2]}],
  "output":[{"name":"OUT","data_type":"TYPE_FP32","dims":[2]}],"dynamic_batching":{}})";

extern "C" __attribute__((visibility("default"))) TRITONSERVER_Error*
TRITONBACKEND_ModelInitialize(TRITONBACKEND_Model* model) {
  TRITONSERVER_Message* message;
  TRITONSERVER_MessageNewFromSerializedJson(&message, kTold, std::string(kTold).size());
  TRITONSERVER_Error* error = TRITONBACKEND_ModelSetConfig(model, 1, message);
  TRITONSERVER_MessageDelete(message);
  if (error != nullptr) return error;
  TRITONBACKEND_ModelConfig(model, 1, &message);
  const char* text;
  size_t size;
  TRITONSERVER_MessageSerializeToJson(message, &text, &size);
  const std::string config(text, size);
  TRITONSERVER_MessageDelete(message);
  for (const char* field : {"optional", "allow_ragged_batch", "label_filename", "preserve_ordering"}) {
    if (config.find(field) == std::string::npos) return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, field);
  }
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request**, const uint32_t) {
  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNSUPPORTED, "enough");
}
"""


def test_fields_that_the_backend_left_out_are_there_when_it_looks(server: wb.Server) -> None:
    build_backend("completes", COMPLETES)
    model = server.load("completed", config='backend: "completes"')
    config = json.loads(to_json(parse_config(model.config)))
    assert config["max_batch_size"] == 4
    assert config["input"][0]["optional"] is False
    assert config["dynamic_batching"]["max_queue_delay_microseconds"] == 0
