# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%%backend`: a cell of C++ or CUDA becomes a backend."""

from __future__ import annotations

import shlex
from pathlib import Path

from workbench.build import Library, build_backend, remember_cell
from workbench.magics.arguments import cell_id, user_variables
from workbench.magics.build_progress import shown
from workbench.magics.declare import argument, magic_arguments, parse_argstring


@magic_arguments()
@argument("name", help="the backend's name, as a configuration's `backend` says it")
@argument("--flags", default="", help='further options of the compiler: --flags "-O3 -march=native"')
@argument("-I", "--include", action="append", default=[], metavar="FOLDER", help="a folder with headers")
@argument("-l", "--library", action="append", default=[], help="a library to link: a name, or a path")
@argument("--file", action="append", default=[], metavar="FILE", help="a file, or NAME=variable, for #include")
@argument("--sanitize", action="store_true", help="try it under address and undefined-behaviour checks too")
@argument("--compiler", default="", help="g++, clang++, zig, nvcc, or a path")
@argument("--language", default="c++", choices=("c++", "cuda"))
@argument("--cuda", action="store_const", const="cuda", dest="language", help="short for --language cuda")
def backend(line: str, cell: str) -> Library:
    """Compile this cell, try it in a child process, and move models of the backend to it.

    Lines in messages count from the top of the cell: the magic's own line is the first.
    """
    args = parse_argstring(backend, line)
    with shown(args.name) as progress:
        library = build_backend(
            args.name,
            cell,
            language=args.language,
            flags=shlex.split(args.flags.strip("\"'")),
            include_dirs=args.include,
            libraries=args.library,
            files=dict(_named_text(word) for word in args.file),
            sanitize=args.sanitize,
            compiler=args.compiler,
            first_line=2,
            progress=progress,
        )
    remember_cell(library.path, cell_id())
    return library


def _named_text(word: str) -> tuple[str, str]:
    """The name and text of a file on disk, or of a variable: `NAME=variable`."""
    name, equals, variable = word.partition("=")
    if equals:
        return name, str(user_variables()[variable])
    return Path(word).name, Path(word).read_text(encoding="utf-8")
