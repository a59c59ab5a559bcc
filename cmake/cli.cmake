# The lab (runs, comparisons) and the heddle command.
target_compile_definitions(heddle_config PRIVATE HEDDLE_SOURCE_FOLDER="${CMAKE_SOURCE_DIR}")
# The schema of the results store becomes texts of the program, one for each version.
find_package(SQLite3 REQUIRED)
set(schema ${CMAKE_SOURCE_DIR}/src/lab/store/schema.sql)
set(schema_2 ${CMAKE_SOURCE_DIR}/src/lab/store/schema_2.sql)
set(schema_3 ${CMAKE_SOURCE_DIR}/src/lab/store/schema_3.sql)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${schema} ${schema_2} ${schema_3})
file(READ ${schema} HEDDLE_SCHEMA_SQL)
file(READ ${schema_2} HEDDLE_SCHEMA_2_SQL)
file(READ ${schema_3} HEDDLE_SCHEMA_3_SQL)
configure_file(${CMAKE_SOURCE_DIR}/src/lab/store/schema_sql.h.in
  ${CMAKE_BINARY_DIR}/generated/lab/store/schema_sql.h @ONLY)

# The glossary explains the words of reports.
set(glossary ${CMAKE_SOURCE_DIR}/docs/glossary.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${glossary})
file(READ ${glossary} HEDDLE_GLOSSARY)
configure_file(${CMAKE_SOURCE_DIR}/src/report/glossary_text.h.in
  ${CMAKE_BINARY_DIR}/generated/report/glossary_text.h @ONLY)

file(GLOB heddle_lab_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/lab/*.cc
     ${CMAKE_SOURCE_DIR}/src/lab/*/*.cc)
# The lab and the CUDA runtime read captured programs. Checksums of large files need -O2.
add_library(heddle_capture_file OBJECT ${CMAKE_SOURCE_DIR}/src/cuda/capture/capture_file.cc
            ${CMAKE_SOURCE_DIR}/src/cuda/capture/record_checker.cc)
target_link_libraries(heddle_capture_file PUBLIC heddle_flags nlohmann_json::nlohmann_json)
set_target_properties(heddle_capture_file PROPERTIES
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
# The lab and heddle-replay read descriptions of kernels.
file(GLOB kernel_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/kernels/*.cc)
add_library(heddle_kernel_files OBJECT ${kernel_sources})
target_link_libraries(heddle_kernel_files PUBLIC heddle_flags nlohmann_json::nlohmann_json fmt::fmt
  tomlplusplus::tomlplusplus)
target_compile_options(heddle_kernel_files PRIVATE ${HEDDLE_COLD_FLAGS})
add_library(heddle_lab STATIC ${heddle_lab_sources} $<TARGET_OBJECTS:heddle_capture_file>
  $<TARGET_OBJECTS:heddle_kernel_files>)
target_link_libraries(heddle_lab PUBLIC heddle_core
  PRIVATE simdjson::simdjson tomlplusplus::tomlplusplus SQLite::SQLite3 ${HEDDLE_ZSTD})

include(cmake/report_page.cmake)
file(GLOB heddle_report_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/report/*.cc)
add_library(heddle_report STATIC ${heddle_report_sources})
target_link_libraries(heddle_report PUBLIC heddle_lab)

file(GLOB heddle_cli_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cli/*.cc)
add_executable(heddle ${heddle_cli_sources})
target_link_libraries(heddle PRIVATE heddle_report heddle_lab CLI11::CLI11)
# These rooms run once per command. Fewer units read the JSON library and CLI11 less often.
foreach(target heddle_lab heddle_report heddle)
  target_compile_options(${target} PRIVATE ${HEDDLE_COLD_FLAGS})
endforeach()
set_target_properties(heddle_lab heddle PROPERTIES UNITY_BUILD_BATCH_SIZE 32)
if(TARGET cudart)
  add_dependencies(heddle cudart heddle-replay)  # it contains the simulator that `heddle run` uses
endif()
if(TARGET heddle_compile)
  target_link_libraries(heddle PRIVATE heddle_compile)
else()
  file(GLOB heddle_compile_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/compile/*.cc
       ${CMAKE_SOURCE_DIR}/src/cuda/compile/patches/*.cc)
  target_sources(heddle PRIVATE ${heddle_compile_sources})
endif()

# `heddle ptx` reads executables and fat binaries.
find_library(HEDDLE_LZ4 NAMES lz4 REQUIRED)
file(GLOB heddle_fatbin_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/fatbin/*.cc)
target_sources(heddle PRIVATE ${heddle_fatbin_sources})
target_link_libraries(heddle PRIVATE ${HEDDLE_ZSTD} ${HEDDLE_LZ4})
