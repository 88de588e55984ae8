# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import textwrap

from workbench.build.diagnostics import Diagnostic
from workbench.build.parsing import parse

SOURCE = "line one\nline two\n  line three\nline four\n"


def parsed(text: str, **options: int) -> tuple[Diagnostic, ...]:
    return parse(textwrap.dedent(text), file_name="cell.cc", source=SOURCE, **options)


class TestGcc:
    def test_error_has_place_words_and_line(self) -> None:
        (error,) = parsed("""\
            cell.cc: In function 'int f()':
            cell.cc:3:5: error: expected ';' before '}' token
            """)
        assert error == Diagnostic(3, 5, "error", "expected ';' before '}' token", source_line="  line three")

    def test_fatal_error_is_an_error(self) -> None:
        (error,) = parsed("""\
            cell.cc:1:10: fatal error: absent.h: No such file or directory
            compilation terminated.
            """)
        assert (error.severity, error.line) == ("error", 1)

    def test_error_in_a_template_leads_to_the_line_that_asked_for_it(self) -> None:
        (error,) = parsed("""\
            In file included from cell.cc:1:
            /usr/include/h.h: In instantiation of 'void f(T) [with T = X]':
            /usr/include/h.h:9:4:   required from 'void g(T) [with T = X]'
            cell.cc:4:7:   required from here
            /usr/include/h.h:3:9: error: 'struct X' has no member named 'y'
            """)
        assert (error.line, error.column, error.file, error.file_line) == (4, 7, "/usr/include/h.h", 3)

    def test_error_in_a_macro_leads_to_its_use(self) -> None:
        (error,) = parsed("""\
            /opt/m.h:7:20: error: 'x' was not declared in this scope
            cell.cc:2:3: note: in expansion of macro 'M'
            """)
        assert (error.line, error.notes) == (2, ("in expansion of macro 'M' (line 2)",))

    def test_context_of_one_error_is_not_the_next_ones(self) -> None:
        first, second = parsed("""\
            cell.cc:4:7:   required from here
            /usr/include/h.h:3:9: error: one
            /usr/include/h.h:5:9: error: two
            """)
        assert (first.line, second.line) == (4, 0)

    def test_fix_is_a_suggestion(self) -> None:
        (error,) = parsed("""\
            cell.cc:2:1: error: expected ';'
            fix-it:"cell.cc":{2:9-2:9}:"};"
            """)
        assert error.suggestion == "write };"

    def test_errors_come_before_warnings_and_once(self) -> None:
        found = parsed("""\
            cell.cc:1:1: warning: unused variable 'x' [-Wunused-variable]
            cell.cc:2:1: error: wrong
            cell.cc:2:1: error: wrong
            """)
        assert [(d.severity, d.line) for d in found] == [("error", 2), ("warning", 1)]

    def test_undefined_reference_names_its_line(self) -> None:
        (error,) = parsed("""\
            /usr/bin/ld: cell.o: in function 'f':
            ./cell.cc:2: undefined reference to `TRITONBACKEND_ModelNam'
            collect2: error: ld returned 1 exit status
            """)
        assert (error.line, error.suggestion) == (2, "did you mean TRITONBACKEND_ModelName?")

    def test_missing_library_is_told(self) -> None:
        (error,) = parsed("""\
            /usr/bin/ld: cannot find -lnothing: No such file or directory
            collect2: error: ld returned 1 exit status
            """)
        assert error.message == "cannot find -lnothing: No such file or directory"


class TestClang:
    def test_source_ranges_are_skipped(self) -> None:
        (error,) = parsed(
            "cell.cc:3:7:{3:11-3:14}{3:2-3:3}: error: cannot initialize a variable of type 'int'\n1 error generated.\n"
        )
        assert (error.line, error.column, error.message) == (3, 7, "cannot initialize a variable of type 'int'")

    def test_instantiation_that_follows_leads_to_the_cell(self) -> None:
        (error,) = parsed("""\
            /usr/include/h.h:3:9: error: no member named 'y' in 'X'
            cell.cc:4:7: note: in instantiation of function template specialization 'f<X>' requested here
            """)
        assert (error.line, error.file_line) == (4, 3)

    def test_undefined_symbol_of_lld_names_its_line(self) -> None:
        (error,) = parsed("""\
            ld.lld: error: undefined symbol: TRITONBACKEND_BackendCreate
            >>> referenced by cell.cc:3
            >>>               cell.o:(f)
            """)
        assert (error.line, error.message) == (3, "nothing defines TRITONBACKEND_BackendCreate")
        assert error.suggestion == "there is no such function: write TRITONBACKEND_Initialize"


class TestNvcc:
    def test_line_and_column_are_read(self) -> None:
        (error,) = parsed("""\
            cell.cc(3): error: identifier "three" is undefined
                  line three
                       ^

            1 error detected in the compilation of "cell.cc".
            """)
        assert (error.line, error.column, error.message) == (3, 10, 'identifier "three" is undefined')

    def test_warning_of_each_architecture_is_told_once(self) -> None:
        text = 'cell.cc(4): warning #177-D: variable "u" was declared but never referenced\n'
        assert [(d.severity, d.line) for d in parsed(text * 6)] == [("warning", 4)]


def test_lines_count_from_the_first_line_given() -> None:
    (error,) = parsed("cell.cc:3:5: error: wrong\n", first_line=2)
    assert (error.line, error.source_line) == (4, "  line three")


def test_text_without_messages_has_no_diagnostics() -> None:
    assert parsed("make: nothing to be done\n") == ()


def test_mark_stands_under_its_column() -> None:
    error = Diagnostic(3, 4, "error", "wrong", source_line="\t  three")
    assert str(error).splitlines()[1:] == ["    3 | \t  three", "      | \t  ^"]


def test_html_escapes_the_source() -> None:
    assert "a &lt; b" in Diagnostic(1, 1, "error", "wrong", source_line="a < b")._repr_html_()
