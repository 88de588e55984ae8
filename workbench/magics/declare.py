# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""IPython's declaration of a magic's arguments, with types."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar, cast

from IPython.core import magic_arguments as untyped

Magic = TypeVar("Magic", bound=Callable[..., Any])


class _Argument(Protocol):
    def __call__(self, *names: str, **options: Any) -> Callable[[Magic], Magic]: ...


magic_arguments: Final = cast("Callable[[], Callable[[Magic], Magic]]", untyped.magic_arguments)
"""Makes a function a magic with arguments; the outermost decorator."""

argument: Final = cast("_Argument", untyped.argument)
"""One argument, declared as for `ArgumentParser.add_argument`."""

parse_argstring: Final = cast("Callable[[Callable[..., Any], str], Namespace]", untyped.parse_argstring)
"""The arguments that a line gives a magic."""
