# An installed Heddle: PREFIX/bin/heddle finds all other files relative to itself, so the tree can
# be moved.
include(CMakePackageConfigHelpers)

# `cmake --install` and cpack need what the target `installation` builds, not the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# Completion scripts and manual pages, made by the command itself.
set(shared_texts ${CMAKE_BINARY_DIR}/share)
set(bash_folder ${shared_texts}/bash-completion/completions)
set(zsh_folder ${shared_texts}/zsh/site-functions)
add_custom_command(OUTPUT ${shared_texts}/man/man1/heddle.1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${bash_folder} ${zsh_folder}
  COMMAND sh -c "'$<TARGET_FILE:heddle>' completion bash > '${bash_folder}/heddle'"
  COMMAND sh -c "'$<TARGET_FILE:heddle>' completion zsh > '${zsh_folder}/_heddle'"
  COMMAND heddle man --out ${shared_texts}/man/man1
  DEPENDS heddle COMMENT "Writing manual pages and completion scripts" VERBATIM)
add_custom_target(shared_texts ALL DEPENDS ${shared_texts}/man/man1/heddle.1)

# All that is installed. Nothing is installed when a part of it is missing.
add_custom_target(installation)
add_dependencies(installation heddle cudart heddle-replay heddle_policy heddle_device_math
  cuda_headers_written shared_texts libraries workloads)
set(required $<TARGET_FILE:heddle> $<TARGET_FILE:cudart> $<TARGET_FILE:heddle-replay>
  $<TARGET_FILE:heddle_policy> ${device_math} ${cuda_headers}/cuda.h ${shared_texts}/man/man1/heddle.1
  ${library_files} ${workload_programs})
install(CODE "
  set(required \"${required}\")
  foreach(file IN LISTS required)
    if(NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"\${file} is not built, so nothing is installed. Build it first: \"
        \"cmake --build '${CMAKE_BINARY_DIR}' --target installation\")
    endif()
  endforeach()")

install(TARGETS heddle RUNTIME DESTINATION bin)
install(FILES ${report_web}/kept/LICENSE-echarts.txt DESTINATION share/heddle/licenses)
install(TARGETS cudart LIBRARY DESTINATION lib)
foreach(name IN LISTS runtime_names)
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name} DESTINATION lib)
endforeach()
# They find the runtime library as the programs do.
foreach(file IN LISTS library_files)
  cmake_path(GET file FILENAME name)
  install(FILES ${file} DESTINATION lib)
  install(CODE "file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/${name}\")")
endforeach()
foreach(name IN LISTS library_links)
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name} DESTINATION lib)
endforeach()
install(FILES ${device_math} DESTINATION lib/heddle)
install(DIRECTORY ${toolkit} DESTINATION lib/heddle USE_SOURCE_PERMISSIONS)
install(TARGETS heddle-replay RUNTIME DESTINATION lib/heddle)
install(DIRECTORY ${cuda_headers} DESTINATION include)
install(DIRECTORY presets workloads experiments examples python DESTINATION share/heddle
  PATTERN __pycache__ EXCLUDE PATTERN *.egg-info EXCLUDE PATTERN build EXCLUDE)

# The compiled workloads. `heddle run` provides the runtime library, so they need no search path.
foreach(program IN LISTS workload_programs)
  cmake_path(RELATIVE_PATH program BASE_DIRECTORY ${HEDDLE_WORKLOADS_DIR} OUTPUT_VARIABLE name)
  cmake_path(GET name PARENT_PATH folder)
  install(PROGRAMS ${program} DESTINATION share/heddle/programs/${folder})
  install(CODE "file(RPATH_REMOVE
    FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/heddle/programs/${name}\")")
endforeach()

# find_package(Heddle): Heddle::policy, heddle_add_plugin().
foreach(header IN LISTS HEDDLE_PLUGIN_HEADERS)
  get_filename_component(room ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION include/heddle/${room})
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/generated/plugin_abi.h DESTINATION include/heddle)
install(TARGETS heddle_policy EXPORT HeddleTargets ARCHIVE DESTINATION lib)
install(EXPORT HeddleTargets NAMESPACE Heddle:: DESTINATION lib/cmake/Heddle)
set(version_file ${CMAKE_BINARY_DIR}/HeddleConfigVersion.cmake)
write_basic_package_version_file(${version_file} COMPATIBILITY SameMinorVersion)
install(FILES cmake/HeddleConfig.cmake ${version_file} DESTINATION lib/cmake/Heddle)

install(DIRECTORY ${shared_texts}/bash-completion ${shared_texts}/zsh ${shared_texts}/man
  DESTINATION share)
