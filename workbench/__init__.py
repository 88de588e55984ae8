# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A laboratory for inference serving that lives in a notebook; `%load_ext workbench` brings its magics."""

import atexit
import sys
from contextlib import suppress
from importlib import import_module
from types import ModuleType

# Public names by the subpackage that has them; none is imported before its name is used.
_PUBLIC = {
    "build": "build_backend get_include",
    "calibrate": "calibrate load_calibration save_calibration what_if",
    "config": "parse_config",
    "errors": "AlreadyExistsError BuildError CancelledError CompileError ConfigError InternalError LoadError "
    "InvalidArgumentError MissingExtraError NotFoundError PreflightError UnavailableError UnknownError "
    "UnsupportedError WorkbenchError",
    "export": "export verify",
    "load": "RemoteModel Sample Sequences Workload compare drive",
    "server": "Sequence Server",
    "simulate": "Calibration predict simulate",
    "sweep": "sweep",
    "views": "replay report watch watch_memory",
}
_HOMES = {name: home for home, names in _PUBLIC.items() for name in names.split()}
__all__ = list(_HOMES)


class _Workbench(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        # The import system binds a subpackage to its name; where a function bears that name, the function stays.
        if name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("workbench-serving")
    if name not in _HOMES:
        raise AttributeError(f"workbench has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"workbench.{_HOMES[name]}"), name)


def load_ipython_extension(shell: object) -> None:
    """Register the magics with a notebook's shell."""
    import_module("workbench.magics").load_ipython_extension(shell)


class _Hooks:
    def __getattr__(self, name: str) -> object:
        return getattr(import_module("workbench.server").CONTROL_PLANE, name)


sys.modules[__name__].__class__ = _Workbench
# The C interface manages the servers of this process. Why a core can not be opened, the first server tells.
with suppress(ImportError):
    _set_hooks = import_module("workbench._native").set_hooks
    _set_hooks(_Hooks())
    atexit.register(_set_hooks, None)
