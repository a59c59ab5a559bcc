# Long tests have the label `long`: ./test runs them. ./test --quick neither runs them nor builds the
# programs that only they need. The target quick_tests builds what the other tests need. Tests that
# are nearly covered by others have the label `extra`, too: ./test --all runs them.

# long_tests(NAME...): marks tests of the same folder.
function(long_tests)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS long)
endfunction()

function(extra_tests)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS long extra)
endfunction()

# long_programs(TARGET...): marks programs that only long tests need.
function(long_programs)
  set_target_properties(${ARGN} PROPERTIES HEDDLE_LONG ON)
endfunction()

# Collects the other targets of tests/ and all of its folders.
function(collect_quick_tests folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(long ${target} HEDDLE_LONG)
    if(NOT long)
      add_dependencies(quick_tests ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS folders)
    collect_quick_tests(${inner})
  endforeach()
endfunction()
