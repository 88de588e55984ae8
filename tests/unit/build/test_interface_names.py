# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from workbench.build.installation import include_dir
from workbench.build.interface_names import interface_functions, suggestion_for, unknown_calls


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("TRITONBACKEND_BackendCreate", "TRITONBACKEND_Initialize"),
        ("TRITONBACKEND_ModelCreate", "TRITONBACKEND_ModelInitialize"),
        ("TRITONBACKEND_ModelExecute", "TRITONBACKEND_ModelInstanceExecute"),
        ("TRITONBACKEND_RequestCount", "TRITONBACKEND_ModelInstanceExecute"),
        ("TRITONBACKEND_ModelRequests", "TRITONBACKEND_ModelInstanceExecute"),
        ("TRITONBACKEND_RequestResponse", "TRITONBACKEND_ResponseNew"),
        ("TRITONBACKEND_ModelInstanceModelPath", "TRITONBACKEND_ModelRepository"),
        ("TRITONBACKEND_ResponseSendd", "TRITONBACKEND_ResponseSend"),
        ("TRITONSERVER_ErrorNu", "TRITONSERVER_ErrorNew"),
    ],
)
def test_wrong_name_is_answered_by_the_real_one(wrong: str, right: str) -> None:
    known = interface_functions(include_dir())
    assert wrong not in known
    assert right in known
    assert right in suggestion_for(wrong)


@pytest.mark.parametrize("name", ["TRITONBACKEND_ModelName", "printf", "TRITONBACKEND_SomethingElseAltogether"])
def test_nothing_is_suggested_for_real_and_for_foreign_names(name: str) -> None:
    assert suggestion_for(name) == ""


def test_own_function_that_looks_like_the_interfaces_is_found() -> None:
    source = "// TRITONBACKEND_ModelCreate(\nvoid TRITONBACKEND_ModelExecute() {}\nTRITONBACKEND_ModelName(m, &n);"
    assert list(unknown_calls(source)) == [(2, "TRITONBACKEND_ModelExecute")]


def test_types_are_no_calls() -> None:
    assert list(unknown_calls("auto t = TRITONSERVER_DataType(1); TRITONSERVER_Error (*f)();")) == []
