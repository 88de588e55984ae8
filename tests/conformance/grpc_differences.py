# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where gRPC answers otherwise than the real server: ours and its status, by the case's name."""

from __future__ import annotations

from typing import Final

DIFFERENT: Final = {
    "framed texts, short": ("INVALID_ARGUMENT", "OK"),
    "shape [0, 4]": ("INVALID_ARGUMENT", "OK"),
    "raw [16, 16]": ("INVALID_ARGUMENT", "OK"),
}
"""On purpose; docs/compatibility.md has the reasons."""

PLAIN: Final = {
    "BOOL classes": ("OK", "INVALID_ARGUMENT"),
    "UINT8 classes": ("OK", "OK"),
    "UINT16 classes": ("OK", "OK"),
    "UINT32 classes": ("OK", "OK"),
    "UINT64 classes": ("OK", "OK"),
    "INT8 classes": ("OK", "OK"),
    "INT16 classes": ("OK", "OK"),
    "INT32 classes": ("OK", "OK"),
    "INT64 classes": ("OK", "OK"),
    "FP32 classes": ("OK", "OK"),
    "FP64 classes": ("OK", "OK"),
    "values out of range": ("UNKNOWN", "OK"),
    "parameter sequence_id {'int64_param': -1}": ("UNKNOWN", "OK"),
    "parameter sequence_id {'bool_param': True}": ("OK", "INVALID_ARGUMENT"),
    "parameter sequence_id {'double_param': 1.5}": ("UNKNOWN", "INVALID_ARGUMENT"),
    "parameter sequence_id {'uint64_param': 5}": ("OK", "INVALID_ARGUMENT"),
    "parameter sequence_start {'int64_param': 1}": ("OK", "INVALID_ARGUMENT"),
    "parameter sequence_end {'string_param': 'x'}": ("OK", "INVALID_ARGUMENT"),
    "parameter priority {'int64_param': -1}": ("UNKNOWN", "INVALID_ARGUMENT"),
    "parameter priority {'string_param': 'x'}": ("UNKNOWN", "INVALID_ARGUMENT"),
    "parameter timeout {'uint64_param': 1000000}": ("OK", "INVALID_ARGUMENT"),
    "parameter timeout {'string_param': 'x'}": ("UNKNOWN", "INVALID_ARGUMENT"),
    "parameter timeout {'int64_param': -5}": ("UNKNOWN", "OK"),
    "parameter own {'uint64_param': 1}": ("OK", "INVALID_ARGUMENT"),
    "parameter own {}": ("OK", "INVALID_ARGUMENT"),
    "parameter triton_enable_empty_final_response {'string_param': 'x'}": ("OK", "INVALID_ARGUMENT"),
    "output classification {'int64_param': 0}": ("OK", "INVALID_ARGUMENT"),
    "output classification {'int64_param': -1}": ("OK", "INVALID_ARGUMENT"),
    "output classification {'string_param': 'x'}": ("OK", "INVALID_ARGUMENT"),
    "output classification {'int64_param': 1000}": ("OK", "OK"),
    "health of half a field": ("OK", "INTERNAL"),
    "stream, a final flag that is no truth": ("OK", "OK"),
    "stream, no message": ("INTERNAL", "OK"),
}  # fmt: skip
"""What the door on grpcio, which serves where nghttp2 was missing at build, does not do or checks less."""
