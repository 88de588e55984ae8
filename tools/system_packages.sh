#!/bin/sh
# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/system_packages.sh build|test|lint...
# Installs the system packages that a task needs and this machine lacks; with nothing missing it touches nothing.
# A package is asked for by what it provides (a program, a header), so tools from elsewhere are accepted as they are.
set -eu

PYTHON=${PYTHON:-python3}
missing=""

# want PACKAGE PROBE...: the package is missing when the probe fails.
want() {
  package=$1
  shift
  "$@" >/dev/null 2>&1 && return
  case "$missing " in *" $package "*) ;; *) missing="$missing $package" ;; esac
}

has() { command -v "$1"; }

python_headers() {
  "$PYTHON" -c 'import pathlib, sys, sysconfig; sys.exit(not (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists())'
}

cxx_header() { echo "#include <$1>" | g++ -x c++ -E - ; }

# Sanitizers and fuzzer of the clang that Debian has: a package of its own, which clang does not bring along.
clang_runtime() {
  version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9][0-9]*\)$/\1/p' | head -n 1)
  echo "libclang-rt-${version:-14}-dev"
}

links_a_fuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address -x c++ - -o /dev/null
}

want_build() {
  want g++ has g++
  want cmake has cmake
  want ninja-build has ninja
  want binutils has addr2line
  want gdb has gdb
  want python3-venv "$PYTHON" -c 'import ensurepip, venv'
  want python3-dev python_headers
  want libboost-dev cxx_header boost/beast/http.hpp
  want zlib1g-dev cxx_header zlib.h
  want rapidjson-dev cxx_header rapidjson/document.h
  want libnghttp2-dev cxx_header nghttp2/nghttp2.h
}

want_test() {
  want_build
  want libgtest-dev cxx_header gtest/gtest.h
  want libgmock-dev cxx_header gmock/gmock.h
  want ccache has ccache
  want clang has clang++
  want "$(clang_runtime)" links_a_fuzzer
  want nodejs has node
  want chromium has chromium
  want curl has curl
  want prometheus has prometheus
  want fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
}

want_lint() {
  want_build
  want clang-tidy has clang-tidy
  want libgtest-dev cxx_header gtest/gtest.h
  want libgmock-dev cxx_header gmock/gmock.h
}

install() {
  as_root=""
  [ "$(id -u)" -eq 0 ] || as_root="sudo"
  if ! has apt-get >/dev/null || { [ -n "$as_root" ] && ! has sudo >/dev/null; }; then
    echo "system packages are missing and can not be installed from here; please install:$missing" >&2
    exit 1
  fi
  echo "installing system packages:$missing"
  log=$(mktemp)
  if ! { $as_root apt-get update -qq &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    exit 1
  fi
  rm -f "$log"
}

[ $# -gt 0 ] || set -- help
for task in "$@"; do
  case "$task" in
  build | test | lint) "want_$task" ;;
  *)
    echo "usage: $0 build|test|lint..." >&2
    exit 2
    ;;
  esac
done
[ -z "$missing" ] || install
