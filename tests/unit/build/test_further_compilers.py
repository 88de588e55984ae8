# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""zig and nvcc: where they are installed, they build what g++ builds and point at the same lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.build.cells import BODY_LINE, WITH_HEADER, cell
from workbench.build import build_backend
from workbench.build.compiler import probe
from workbench.build.registry import subscribe
from workbench.errors import CompileError, PreflightError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("core")]


def line_of_error(source: str, **options: str) -> int:
    with pytest.raises(CompileError) as caught:
        build_backend("further", source, **options)  # type: ignore[arg-type]
    diagnostic = caught.value.diagnostics[0]
    return diagnostic.line  # type: ignore[attr-defined,no-any-return]


@pytest.mark.skipif(probe("zig") is None, reason="the wheel ziglang is not installed")
class TestZig:
    @pytest.fixture(autouse=True)
    def zig_cache(self, cache_folder: Path) -> None:
        """zig's own libraries, which take a minute to compile, are the user's."""
        kept = Path.home() / ".cache" / "workbench" / "zig"
        kept.mkdir(parents=True, exist_ok=True)
        cache_folder.mkdir(parents=True)
        (cache_folder / "zig").symlink_to(kept)

    def test_builds_what_passes_its_trial(self) -> None:
        assert "zig" in build_backend("further", WITH_HEADER, compiler="zig").compiler

    def test_finds_the_line_of_a_mistake(self) -> None:
        assert line_of_error(cell("  int x = ;"), compiler="zig") == BODY_LINE

    def test_names_what_is_misspelt(self) -> None:
        source = cell("  TRITONBACKEND_ModelNam(0);", before='extern "C" void TRITONBACKEND_ModelNam(void*);')
        assert line_of_error(source, compiler="zig") == BODY_LINE

    def test_crash_leads_to_its_line(self) -> None:
        with pytest.raises(PreflightError) as caught:
            build_backend("further", cell("  abort();"), compiler="zig")
        assert caught.value.cell_line == BODY_LINE


KERNEL = "__global__ void Fill(float* out) { out[threadIdx.x] = 1; }"


@pytest.mark.skipif(probe("nvcc") is None, reason="nvcc is not installed")
class TestCuda:
    def test_builds_what_passes_its_trial_without_a_gpu(self) -> None:
        source = cell("  if (false) Fill<<<1, 1>>>(nullptr);", before=KERNEL)
        assert "nvcc" in build_backend("further", source, language="cuda").compiler

    def test_finds_the_line_of_a_mistake(self) -> None:
        assert line_of_error(cell("  int x = nothing;", before=KERNEL), language="cuda") == BODY_LINE

    def test_crash_leads_to_its_line(self) -> None:
        with pytest.raises(PreflightError) as caught:
            build_backend("further", cell("  abort();", before=KERNEL), language="cuda")
        assert caught.value.cell_line == BODY_LINE

    def test_the_author_says_for_which_gpus(self) -> None:
        source = cell("  if (false) Fill<<<1, 1>>>(nullptr);", before=KERNEL)
        assert build_backend("further", source, language="cuda", flags=["-arch=sm_80"]).diagnostics == ()

    def test_a_changed_cell_takes_the_place_of_the_one_before(self) -> None:
        told: list[str] = []
        stop = subscribe(lambda library: told.append(library.digest))
        for number in (1, 2):
            kernel = KERNEL.replace("= 1", f"= {number}")
            source = cell("  if (false) Fill<<<1, 1>>>(nullptr);", before=kernel)
            build_backend("further", source, language="cuda", flags=["-arch=sm_80"])
        stop()
        assert len(set(told)) == 2
