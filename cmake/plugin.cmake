# What a policy outside the tree is built with: the headers below, and a small library. Its number of the binary interface is made from
# those headers, so that a plug-in built against others is noticed when it is loaded.
set(HEDDLE_PLUGIN_HEADERS base/diagnostics.h base/types.h ptx/instruction.h ptx/kernel.h sched/catalogue.h sched/limiter.h sched/parameters.h
    sched/plugin.h sched/policy_entry.h sched/shared_state.h sm/warp_scheduler.h)
set(texts "")
foreach(header IN LISTS HEDDLE_PLUGIN_HEADERS)
  file(SHA256 ${CMAKE_SOURCE_DIR}/src/${header} text)
  string(APPEND texts ${text})
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${header})
endforeach()
string(SHA256 HEDDLE_PLUGIN_ABI "${texts}")
string(SUBSTRING ${HEDDLE_PLUGIN_ABI} 0 7 HEDDLE_PLUGIN_ABI)
configure_file(${CMAKE_SOURCE_DIR}/cmake/plugin_abi.h.in ${CMAKE_BINARY_DIR}/generated/plugin_abi.h @ONLY)

add_library(heddle_policy STATIC ${CMAKE_SOURCE_DIR}/src/base/diagnostics.cc ${CMAKE_SOURCE_DIR}/src/sched/limiter.cc ${CMAKE_SOURCE_DIR}/src/sched/parameters.cc)
target_compile_options(heddle_policy PRIVATE $<TARGET_PROPERTY:heddle_flags,INTERFACE_COMPILE_OPTIONS>)
target_include_directories(heddle_policy PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>
  $<INSTALL_INTERFACE:include/heddle>)
target_compile_features(heddle_policy INTERFACE cxx_std_20)
set_target_properties(heddle_policy PROPERTIES EXPORT_NAME policy CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
