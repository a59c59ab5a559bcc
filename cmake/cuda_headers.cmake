# What programs include as CUDA's headers, in include/heddle-cuda of the build tree: the headers of
# sdk/include and those that the tables of sdk describe. From the same tables come the lists of calls
# and errors that src/cuda includes.
include_guard(GLOBAL)

set(sdk_folder ${CMAKE_SOURCE_DIR}/sdk)
set(cuda_headers ${CMAKE_BINARY_DIR}/include/heddle-cuda)
set(cuda_lists ${CMAKE_BINARY_DIR}/generated/cuda)
# The names of the files come from the tables. In a tree of an older build the folder is a link.
if(IS_SYMLINK ${cuda_headers})
  file(REMOVE ${cuda_headers})
endif()
file(GLOB tables CONFIGURE_DEPENDS ${sdk_folder}/tables/*.txt)
file(GLOB_RECURSE own_headers CONFIGURE_DEPENDS ${sdk_folder}/include/*)
set_property(DIRECTORY APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS ${tables} ${sdk_folder}/generate.py)
set(generate python3 -B ${sdk_folder}/generate.py)
execute_process(COMMAND ${generate} --list OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "([^\n]*)\n([^\n]*)" names "${names}")
set(cuda_header_files ${CMAKE_MATCH_1})
set(list_files ${CMAKE_MATCH_2})
list(TRANSFORM cuda_header_files PREPEND ${cuda_headers}/)
list(TRANSFORM list_files PREPEND ${cuda_lists}/)
set(stamp ${CMAKE_BINARY_DIR}/generated/cuda_headers.stamp)
add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${cuda_header_files} ${list_files}
  COMMAND ${generate} ${cuda_headers} ${cuda_lists}
  # Clang refuses precompiled forms of older headers.
  COMMAND sh -c "rm -f '${CMAKE_BINARY_DIR}'/lib/heddle/headers/*"
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${sdk_folder}/generate.py ${tables} ${own_headers}
  COMMENT "Writing CUDA's headers" VERBATIM)
add_custom_target(cuda_headers_written ALL DEPENDS ${stamp})
# Targets that include the headers link this one.
add_library(cuda_headers INTERFACE)
target_include_directories(cuda_headers SYSTEM INTERFACE ${cuda_headers})
add_dependencies(cuda_headers cuda_headers_written)
