# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""From a sweep to the real server: tuned configurations, model repositories, reports, and the proof that they load."""

from workbench.export.config import tuned_config_text
from workbench.export.reasons import why_it_won, why_others_lost
from workbench.export.report import report
from workbench.export.repository import ExportedRepository, export
from workbench.export.verify import ModelVerdict, Verification, verify

__all__ = [
    "ExportedRepository",
    "ModelVerdict",
    "Verification",
    "export",
    "report",
    "tuned_config_text",
    "verify",
    "why_it_won",
    "why_others_lost",
]
