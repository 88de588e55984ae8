# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A `model.py` as a module: each loaded version has one of its own, whatever its neighbours' files are called."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, Final

from workbench.python_backend import sources
from workbench.python_backend.services import SERVICES, Services

CLASS: Final = "TritonPythonModel"
_NUMBERS: Final = itertools.count()
_IMPORTS: Final = RLock()


def import_model(path: Path, services: Services, *, place: tuple[str, int] | None = None) -> ModuleType:
    """The module of a model's file.

    Args:
        path: the file; its folder is where its imports are looked for first.
        services: what its code may ask of the server.
        place: what messages call the file, and the number of its first line; None: as it is registered.

    Raises:
        FileNotFoundError: there is no such file.
        SyntaxError: it is no Python.
        Exception: what its code raises.
    """
    if not path.is_file():
        raise FileNotFoundError(f"no file {path}: a Python model is a class {CLASS} in it")
    text = path.read_text(encoding="utf-8")
    label, first_line = place or sources.place_of(text, str(path))
    if label != str(path):
        sources.remember_lines(text, label, first_line)
    # Compiled here, not by the import system: a changed file must never be taken for its compiled forerunner.
    code = compile("\n" * (first_line - 1) + text, label, "exec", dont_inherit=True)
    name = f"_triton_model_{next(_NUMBERS)}"
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(path.parent)])
    if spec is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    setattr(module, SERVICES, services)
    sys.modules[name] = module
    try:
        with neighbours_of(path.parent):
            exec(code, module.__dict__)  # noqa: S102 - running it is what it is for
    except BaseException:
        forget(module)
        raise
    return module


def class_of(module: ModuleType, path: Path) -> Any:
    """The class of the model; raises AttributeError where the file has none that executes."""
    model = getattr(module, CLASS, None)
    if model is None:
        there = [name for name, value in vars(module).items() if isinstance(value, type)]
        raise AttributeError(f"{path} has no class {CLASS}; it has {', '.join(there) or 'no class at all'}")
    if not callable(getattr(model, "execute", None)):
        message = f"class {CLASS} of {path} has no method execute(self, requests)"
        raise TypeError(message)
    return model


@contextmanager
def neighbours_of(folder: Path) -> Iterator[None]:
    """Let code import files of its folder, under names that no other model sees."""
    with _IMPORTS:
        before, wrote = set(sys.modules), sys.dont_write_bytecode
        sys.path.insert(0, str(folder))
        sys.dont_write_bytecode = True
        try:
            yield
        finally:
            sys.dont_write_bytecode = wrote
            sys.path.remove(str(folder))
            for name in set(sys.modules) - before:
                if _lies_in(sys.modules[name], folder) and not name.startswith("_triton_model_"):
                    del sys.modules[name]
            sys.path_importer_cache.pop(str(folder), None)


def forget(module: ModuleType) -> None:
    """Drop a module of a model and what was imported through it."""
    for name in [name for name in sys.modules if name == module.__name__ or name.startswith(f"{module.__name__}.")]:
        del sys.modules[name]


def _lies_in(module: Any, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and Path(file).is_relative_to(folder)
