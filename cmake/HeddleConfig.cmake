# find_package(Heddle): builds a policy outside Heddle's tree.
include(${CMAKE_CURRENT_LIST_DIR}/HeddleTargets.cmake)
get_filename_component(Heddle_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(Heddle_EXECUTABLE ${Heddle_PREFIX}/bin/heddle)

# heddle_add_plugin(NAME SOURCE...): NAME.so, for heddle --plugin.
function(heddle_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE Heddle::policy)
  target_link_options(${name} PRIVATE -Wl,--no-undefined)
  set_target_properties(${name} PROPERTIES
    PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
