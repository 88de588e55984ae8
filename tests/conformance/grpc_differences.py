# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where gRPC answers otherwise than the real server: ours and its status, by the case's name."""

from __future__ import annotations

from typing import Final

DIFFERENT: Final = {
    "framed texts, short": ("INVALID_ARGUMENT", "OK"),
    "shape [0, 4]": ("INVALID_ARGUMENT", "OK"),
    "raw [16, 16]": ("INVALID_ARGUMENT", "OK"),
    "trace log_frequency ['-1']": ("INVALID_ARGUMENT", "OK"),
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
    "output classification {'int64_param': 0}": ("OK", "INVALID_ARGUMENT"),
    "output classification {'int64_param': -1}": ("OK", "INVALID_ARGUMENT"),
    "output classification {'string_param': 'x'}": ("OK", "INVALID_ARGUMENT"),
    "output classification {'int64_param': 1000}": ("OK", "OK"),
    "health of half a field": ("OK", "INTERNAL"),
    "stream, no message": ("INTERNAL", "OK"),
}  # fmt: skip
"""What the door on grpcio, which serves where nghttp2 was missing at build, does not do or checks less."""
