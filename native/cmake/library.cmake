# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0

# wb_library(NAME SOURCES a.cc ... DEPENDS wb_base ...)
# One floor of the core: a static, position-independent target that may link floors below it alone.
# Sources may be empty: then the floor is headers only.
function(wb_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${NAME} STATIC ${ARG_SOURCES})
    target_compile_options(${NAME} PRIVATE -Wall -Wextra -Werror -Wno-unused-parameter)
    target_link_libraries(${NAME} PUBLIC wb_flags ${ARG_DEPENDS})
  else()
    add_library(${NAME} INTERFACE)
    target_link_libraries(${NAME} INTERFACE wb_flags ${ARG_DEPENDS})
  endif()
endfunction()

# wb_shared_thread_locals(a.cc ...): these sources use thread-local data of libstdc++ (std::call_once, std::promise), which
# has no static place where another library of the process used it first. Called where their target is made.
function(wb_shared_thread_locals)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -ftls-model=global-dynamic)
endfunction()

# wb_test(NAME SOURCES a_test.cc ... DEPENDS wb_x ...): a GoogleTest program that ctest runs.
function(wb_test NAME)
  if(NOT WB_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPENDS} wb_testing GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${NAME} DISCOVERY_MODE PRE_TEST)
endfunction()
