# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Load with known arrivals, and measurements that can be believed."""

from workbench.display import Report, ShownAsText, reporting, silent
from workbench.load.arrival import ARRIVAL_KINDS, draw_arrivals
from workbench.load.bootstrap import bootstrap_interval
from workbench.load.comparison import Comparison, compare, with_control_variate
from workbench.load.generator import drive, measure, target_of
from workbench.load.input_data import InputData, read_input_data, write_input_data
from workbench.load.inputs import synthetic_inputs
from workbench.load.measurement import Latency, Measurement, Split, measurement_of
from workbench.load.model_target import ModelTarget, ServedModel
from workbench.load.native_run import NullTarget
from workbench.load.options import DRIVE_OPTIONS, drive_arguments
from workbench.load.plan import Sequences
from workbench.load.quantiles import Interval, mean_interval, quantile
from workbench.load.records import OBSERVATION_DTYPE, RECORD_DTYPE
from workbench.load.remote_model import RemoteModel
from workbench.load.sample import Inputs, Mix, Sample, Shapes
from workbench.load.statistics import Totals
from workbench.load.steadiness import LittlesLaw, Stalls, Steadiness, Window, assess, warmup_cut
from workbench.load.target import LoadProgress, LoadRun, Target
from workbench.load.workload import Workload

__all__ = [
    "ARRIVAL_KINDS",
    "DRIVE_OPTIONS",
    "OBSERVATION_DTYPE",
    "RECORD_DTYPE",
    "Comparison",
    "InputData",
    "Inputs",
    "Interval",
    "Latency",
    "LittlesLaw",
    "LoadProgress",
    "LoadRun",
    "Measurement",
    "Mix",
    "ModelTarget",
    "NullTarget",
    "RemoteModel",
    "Report",
    "Sample",
    "Sequences",
    "ServedModel",
    "Shapes",
    "ShownAsText",
    "Split",
    "Stalls",
    "Steadiness",
    "Target",
    "Totals",
    "Window",
    "Workload",
    "assess",
    "bootstrap_interval",
    "compare",
    "draw_arrivals",
    "drive",
    "drive_arguments",
    "mean_interval",
    "measure",
    "measurement_of",
    "quantile",
    "read_input_data",
    "reporting",
    "silent",
    "synthetic_inputs",
    "target_of",
    "warmup_cut",
    "with_control_variate",
    "write_input_data",
]
