# heddle cc: the compile driver as a library, and the device mathematics as bitcode in lib/heddle of
# the build tree, where the driver finds it relative to the executable, as the headers.
include_guard(GLOBAL)

set(compile_folder ${CMAKE_SOURCE_DIR}/src/cuda/compile)
file(GLOB sources CONFIGURE_DEPENDS ${compile_folder}/*.cc ${compile_folder}/patches/*.cc)
add_library(heddle_compile STATIC ${sources})
target_link_libraries(heddle_compile PUBLIC heddle_core)
target_compile_options(heddle_compile PRIVATE ${HEDDLE_COLD_FLAGS})

# Precompiled headers of heddle cc are kept in lib/heddle/headers.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib/heddle/headers)

find_program(HEDDLE_DEVICE_CLANG NAMES clang-19 REQUIRED)
find_program(HEDDLE_LLVM_LINK NAMES llvm-link-19 REQUIRED)
find_file(HEDDLE_LIBCLC NAMES nvptx64--.bc
  PATHS /usr/lib/clc /usr/lib/llvm-19/share/clc /usr/share/clc NO_DEFAULT_PATH REQUIRED)

# Without LLVM's passes: they run when a program is compiled, because their results depend on its
# flags.
set(device_flags --target=nvptx64-nvidia-cuda -x c -std=c2x -ffreestanding -fno-math-errno
  -ffp-contract=off -O2 -Xclang -disable-llvm-passes -Wall -Wextra -Wno-unused-parameter -Werror)
file(GLOB device_sources CONFIGURE_DEPENDS ${sdk_folder}/device/*.c)
file(GLOB device_headers CONFIGURE_DEPENDS ${sdk_folder}/device/*.h)
foreach(source IN LISTS device_sources)
  get_filename_component(name ${source} NAME_WE)
  set(bitcode ${CMAKE_BINARY_DIR}/device/${name}.bc)
  add_custom_command(OUTPUT ${bitcode}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/device
    COMMAND ${HEDDLE_DEVICE_CLANG} ${device_flags} -emit-llvm -c ${source} -o ${bitcode}
    DEPENDS ${source} ${device_headers} COMMENT "Compiling device mathematics ${name}" VERBATIM)
  list(APPEND device_bitcode ${bitcode})
endforeach()
set(device_math ${CMAKE_BINARY_DIR}/lib/heddle/device_math.bc)
set(own_bitcode ${CMAKE_BINARY_DIR}/device/own.bc)
add_custom_command(OUTPUT ${device_math}
  COMMAND ${HEDDLE_LLVM_LINK} --suppress-warnings ${device_bitcode} -o ${own_bitcode}
  COMMAND ${HEDDLE_LLVM_LINK} --suppress-warnings ${own_bitcode} --only-needed ${HEDDLE_LIBCLC}
          -o ${device_math}
  DEPENDS ${device_bitcode} COMMENT "Linking device mathematics" VERBATIM)
add_custom_target(heddle_device_math ALL DEPENDS ${device_math})
add_dependencies(heddle_compile heddle_device_math cuda_headers_written)
