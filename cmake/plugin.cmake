# A policy outside the tree is built with some headers, all that they include, and a small library.
# The number of the binary interface is computed from these headers, so that loading refuses a plug-in
# that was built with other headers.
set(HEDDLE_PLUGIN_HEADERS "")
set(ahead base/diagnostics.h sched/framework/cta_table.h sched/framework/limiter.h
  sched/framework/plugin.h gpu/cta/limited_round_robin.h gpu/cta/plugin.h gpu/share/known_kernels.h
  gpu/share/plugin.h gpu/share/program_parts.h gpu/share/resource_shares.h)
while(ahead)
  list(POP_FRONT ahead header)
  # plugin_abi.h does not exist yet: it is written below.
  if(header IN_LIST HEDDLE_PLUGIN_HEADERS OR NOT EXISTS ${CMAKE_SOURCE_DIR}/src/${header})
    continue()
  endif()
  list(APPEND HEDDLE_PLUGIN_HEADERS ${header})
  file(STRINGS ${CMAKE_SOURCE_DIR}/src/${header} includes REGEX "^#include \"")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    list(APPEND ahead ${included})
  endforeach()
endwhile()
list(SORT HEDDLE_PLUGIN_HEADERS)
set(texts "")
foreach(header IN LISTS HEDDLE_PLUGIN_HEADERS)
  file(SHA256 ${CMAKE_SOURCE_DIR}/src/${header} text)
  string(APPEND texts ${text})
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${header})
endforeach()
string(SHA256 HEDDLE_PLUGIN_ABI "${texts}")
string(SUBSTRING ${HEDDLE_PLUGIN_ABI} 0 7 HEDDLE_PLUGIN_ABI)
configure_file(${CMAKE_SOURCE_DIR}/cmake/plugin_abi.h.in
  ${CMAKE_BINARY_DIR}/generated/plugin_abi.h @ONLY)

add_library(heddle_policy STATIC
  ${CMAKE_SOURCE_DIR}/src/base/diagnostics.cc
  ${CMAKE_SOURCE_DIR}/src/gpu/cta/round_robin.cc
  ${CMAKE_SOURCE_DIR}/src/gpu/cta/skipping.cc
  ${CMAKE_SOURCE_DIR}/src/policies/parameters.cc
  ${CMAKE_SOURCE_DIR}/src/sched/framework/limiter.cc
  ${CMAKE_SOURCE_DIR}/src/sm/policy/policy_report.cc
  ${CMAKE_SOURCE_DIR}/src/stats/unit.cc)
target_compile_options(heddle_policy PRIVATE
  $<TARGET_PROPERTY:heddle_flags,INTERFACE_COMPILE_OPTIONS>)
target_include_directories(heddle_policy PUBLIC
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>
  $<INSTALL_INTERFACE:include/heddle>)
target_compile_features(heddle_policy INTERFACE cxx_std_20)
set_target_properties(heddle_policy PROPERTIES
  EXPORT_NAME policy CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
