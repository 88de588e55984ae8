# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0

# wb_backend(NAME SOURCES a.cc ...): a backend libtriton_<NAME>.so, installed to workbench/backends/<NAME>.
# It is not linked to libtritonserver.so: the server that opens it offers the interface, be it this one or another.
function(wb_backend NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  set(map ${PROJECT_SOURCE_DIR}/cmake/backend.map)
  set(target wb_backend_${NAME})
  add_library(${target} MODULE ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME triton_${NAME} LINK_DEPENDS ${map}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/backends/${NAME})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror -Wno-unused-parameter -fvisibility=hidden
    $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  if(WB_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${WB_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${WB_SANITIZE})
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION workbench/backends/${NAME})
endfunction()
