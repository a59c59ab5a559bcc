# An installed Heddle: PREFIX/bin/heddle finds all other files relative to itself, so the tree can
# be moved.
include(CMakePackageConfigHelpers)

install(TARGETS heddle RUNTIME DESTINATION bin)
install(TARGETS cudart LIBRARY DESTINATION lib)
foreach(name IN LISTS runtime_names)
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name} DESTINATION lib)
endforeach()
install(FILES ${device_math} DESTINATION lib/heddle)
install(DIRECTORY src/cuda/sdk/include/ DESTINATION include/heddle-cuda)
install(DIRECTORY presets workloads experiments DESTINATION share/heddle)
install(DIRECTORY examples DESTINATION share/heddle)

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
install(DIRECTORY ${shared_texts}/bash-completion ${shared_texts}/zsh ${shared_texts}/man
  DESTINATION share)
