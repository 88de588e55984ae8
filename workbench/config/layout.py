# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The order in which people write fields, and how a value looks in text."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from google.protobuf import text_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from workbench.config.floats import shortest

_TOP_ORDER: Final = (
    "name",
    "platform",
    "backend",
    "runtime",
    "default_model_filename",
    "cc_model_filenames",
    "max_batch_size",
    "version_policy",
    "input",
    "output",
    "batch_input",
    "batch_output",
    "dynamic_batching",
    "sequence_batching",
    "ensemble_scheduling",
    "instance_group",
    "optimization",
    "response_cache",
    "model_transaction_policy",
    "model_warmup",
    "parameters",
)
_FIRST: Final[Mapping[str, Sequence[str]]] = {
    "ModelConfig": _TOP_ORDER,
    "ModelInstanceGroup": ("name", "count", "kind", "gpus"),
    "ModelWarmup": ("name", "batch_size", "count", "inputs"),
    "ModelSequenceBatching": ("max_sequence_idle_microseconds", "direct", "oldest"),
    "InitialState": ("name",),
    "ModelQueuePolicy": ("timeout_action", "default_timeout_microseconds"),
}


def written_order(message: Descriptor) -> list[FieldDescriptor]:
    """The fields of `message` as people write them: some first, the rest as they are defined."""
    first = _FIRST.get(message.name, ())
    rest = [field for field in message.fields if field.name not in first]
    return [*(message.fields_by_name[name] for name in first), *rest]


def rank(field: FieldDescriptor) -> int:
    """Place of a field in the written order of its message."""
    owner = field.containing_type
    assert owner is not None
    return [other.name for other in written_order(owner)].index(field.name)


def scalar_text(field: FieldDescriptor, value: Any) -> str:
    """One scalar as it is written: `8`, `TYPE_FP32`, `"name"`, `0.5`, `true`."""
    if isinstance(value, float):
        return str(shortest(value, field))
    out = io.StringIO()
    text_format.PrintFieldValue(field, value, out, as_utf8=True)
    return out.getvalue()


def list_text(elements: Sequence[str]) -> str:
    """A list of scalars in one line: `[ 1, 2 ]`; `[ ]` when it is empty."""
    return f"[ {', '.join(elements)} ]" if elements else "[ ]"
