# heddle cc: the compile driver as a library, its headers under include/heddle-cuda, and the device mathematics as bitcode under
# lib/heddle, all inside the build tree, where the driver finds them from the place of the executable.
include_guard(GLOBAL)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/compile/*.cc ${CMAKE_SOURCE_DIR}/src/cuda/compile/patches/*.cc)
add_library(heddle_compile STATIC ${sources})
target_link_libraries(heddle_compile PUBLIC heddle_core)

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include ${CMAKE_BINARY_DIR}/lib/heddle)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/cuda/sdk/include ${CMAKE_BINARY_DIR}/include/heddle-cuda SYMBOLIC)

find_program(HEDDLE_DEVICE_CLANG NAMES clang-19 REQUIRED)
find_program(HEDDLE_LLVM_LINK NAMES llvm-link-19 REQUIRED)
find_file(HEDDLE_LIBCLC NAMES nvptx64--.bc PATHS /usr/lib/clc /usr/lib/llvm-19/share/clc /usr/share/clc NO_DEFAULT_PATH REQUIRED)

# The compiler's passes run when a program is compiled; earlier they would decide questions that depend on its flags.
file(GLOB device_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/sdk/device/*.c)
file(GLOB device_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/sdk/device/*.h)
foreach(source IN LISTS device_sources)
  get_filename_component(name ${source} NAME_WE)
  set(bitcode ${CMAKE_BINARY_DIR}/device/${name}.bc)
  add_custom_command(OUTPUT ${bitcode}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/device
    COMMAND ${HEDDLE_DEVICE_CLANG} --target=nvptx64-nvidia-cuda -x c -std=c2x -ffreestanding -fno-math-errno -ffp-contract=off -O2
            -Xclang -disable-llvm-passes -Wall -Wextra -Wno-unused-parameter -Werror -emit-llvm -c ${source} -o ${bitcode}
    DEPENDS ${source} ${device_headers} COMMENT "Compiling device mathematics ${name}" VERBATIM)
  list(APPEND device_bitcode ${bitcode})
endforeach()
set(device_math ${CMAKE_BINARY_DIR}/lib/heddle/device_math.bc)
add_custom_command(OUTPUT ${device_math}
  COMMAND ${HEDDLE_LLVM_LINK} --suppress-warnings ${device_bitcode} -o ${CMAKE_BINARY_DIR}/device/own.bc
  COMMAND ${HEDDLE_LLVM_LINK} --suppress-warnings ${CMAKE_BINARY_DIR}/device/own.bc --only-needed ${HEDDLE_LIBCLC} -o ${device_math}
  DEPENDS ${device_bitcode} COMMENT "Linking device mathematics" VERBATIM)
add_custom_target(heddle_device_math ALL DEPENDS ${device_math})
add_dependencies(heddle_compile heddle_device_math)
