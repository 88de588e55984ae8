# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The golden stub of the extension module is what was built: same names, same parameters, same defaults present."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from types import ModuleType

import pytest

Signature = tuple[str, ...]


@pytest.fixture(scope="module")
def native(native_path: Path) -> ModuleType:
    assert native_path.exists()
    return importlib.import_module("workbench._native")


@pytest.fixture(scope="module")
def stub(root: Path) -> ast.Module:
    return ast.parse((root / "workbench/_native.pyi").read_text())


def parameters(function: ast.FunctionDef) -> Signature:
    """Names of the parameters, `=` after those with a default, `*` where keyword-only ones begin; without self."""
    arguments = function.args
    positional = arguments.posonlyargs + arguments.args
    first_default = len(positional) - len(arguments.defaults)
    shown = [name.arg + ("=" if i >= first_default else "") for i, name in enumerate(positional)]
    keyword = [
        name.arg + ("=" if default is not None else "")
        for name, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    variadic = ["*"] if keyword or arguments.vararg else []
    return tuple([name for name in shown if name.rstrip("=") != "self"] + variadic + keyword)


def documented(text: str | None) -> Signature | None:
    """The same, read from the first line that the binding layer writes into a function's docstring."""
    first = text.splitlines()[0].replace("::", ".") if text else ""
    try:
        (function,) = ast.parse(f"def {first}: ...").body
    except SyntaxError:
        return None
    return parameters(function) if isinstance(function, ast.FunctionDef) else None


def stub_functions(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def stub_names(body: list[ast.stmt]) -> set[str]:
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    return {name for name in names if is_public(name)}


def is_public(name: str) -> bool:
    return not name.startswith("_") or name == "__init__"


def built_names(owner: object) -> set[str]:
    own = vars(owner)
    return {name for name in own if is_public(name) and not isinstance(own[name], ModuleType)}


def differences(where: str, body: list[ast.stmt], owner: object) -> list[str]:
    found = [f"{where}: signature of {name} differs" for name in stub_functions(body) if _differs(name, body, owner)]
    missing, extra = stub_names(body) - built_names(owner), built_names(owner) - stub_names(body)
    found += [f"{where}: {name} is not built" for name in sorted(missing - {"__init__"})]
    return found + [f"{where}: {name} is not in the stub" for name in sorted(extra - {"__init__"})]


def _differs(name: str, body: list[ast.stmt], owner: object) -> bool:
    built = documented(getattr(vars(owner).get(name), "__doc__", None))
    return built is not None and built != parameters(stub_functions(body)[name])


def test_the_module_has_the_names_of_the_stub(native: ModuleType, stub: ast.Module) -> None:
    assert not differences("_native", _declared(stub), native)


def test_each_class_has_the_members_of_the_stub(native: ModuleType, stub: ast.Module) -> None:
    classes = [node for node in stub.body if isinstance(node, ast.ClassDef)]
    found = [line for node in classes for line in differences(node.name, _methods(node), getattr(native, node.name))]
    assert not found


def _declared(stub: ast.Module) -> list[ast.stmt]:
    """What the stub declares; its imports and type aliases serve the stub alone."""
    return [node for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AnnAssign)]


def _methods(node: ast.ClassDef) -> list[ast.stmt]:
    """What a class declares, but for attributes that its instances get when they are made."""
    return [statement for statement in node.body if not isinstance(statement, ast.AnnAssign)]


def test_signatures_are_read_alike_from_stub_and_docstring() -> None:
    (function,) = ast.parse("def wait(self, timeout_s: float, *, spin: bool = True) -> bool: ...").body
    assert isinstance(function, ast.FunctionDef)
    assert parameters(function) == ("timeout_s", "*", "spin=")
    assert documented("wait(self: m.Call, timeout_s: float, *, spin: bool = True) -> bool") == parameters(function)
