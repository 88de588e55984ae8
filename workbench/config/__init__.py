# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Model configurations: read, judged, completed, compared, edited, written, and as plain values for the core."""

from workbench.config.complete import complete
from workbench.config.diff import Change, diff_configs
from workbench.config.edit import edit_config
from workbench.config.from_json import from_json
from workbench.config.instance_spec import InstanceSpec, RateLimitSpec
from workbench.config.message import ModelConfig, data_type_name
from workbench.config.outline import Outline
from workbench.config.pbtxt import parse_config, read_text
from workbench.config.rule import Problem, is_ensemble
from workbench.config.sequence_spec import ControlSpec, SequenceSpec, StateSpec
from workbench.config.spec import (
    BatchingSpec,
    EnsembleSpec,
    EnsembleStepSpec,
    ModelSpec,
    QueuePolicySpec,
    TensorSpec,
    batching_spec,
    ensemble_spec,
    model_spec,
)
from workbench.config.to_json import to_json, to_mapping
from workbench.config.validate import as_error, find_problems, validate
from workbench.config.warmup import WarmupInputSpec, WarmupSpec, warmup_specs
from workbench.config.write import write_config

__all__ = [
    "BatchingSpec",
    "Change",
    "ControlSpec",
    "EnsembleSpec",
    "EnsembleStepSpec",
    "InstanceSpec",
    "ModelConfig",
    "ModelSpec",
    "Outline",
    "Problem",
    "QueuePolicySpec",
    "RateLimitSpec",
    "SequenceSpec",
    "StateSpec",
    "TensorSpec",
    "WarmupInputSpec",
    "WarmupSpec",
    "as_error",
    "batching_spec",
    "complete",
    "data_type_name",
    "diff_configs",
    "edit_config",
    "ensemble_spec",
    "find_problems",
    "from_json",
    "is_ensemble",
    "model_spec",
    "parse_config",
    "read_text",
    "to_json",
    "to_mapping",
    "validate",
    "warmup_specs",
    "write_config",
]
