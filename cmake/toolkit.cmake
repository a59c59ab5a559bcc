# A folder laid out as a CUDA toolkit is, for Makefiles and CMake that ask for one: make CUDA_PATH=$(heddle cc --print-toolkit).
include_guard(GLOBAL)

set(toolkit ${CMAKE_BINARY_DIR}/lib/heddle/toolkit)
set(toolkit_source ${CMAKE_SOURCE_DIR}/src/cuda/sdk/toolkit)
file(MAKE_DIRECTORY ${toolkit}/bin ${toolkit}/lib64)
configure_file(${toolkit_source}/nvcc ${toolkit}/bin/nvcc COPYONLY)
configure_file(${toolkit_source}/libcudart_static.a ${toolkit}/lib64/libcudart_static.a COPYONLY)
file(WRITE ${toolkit}/lib64/libcudadevrt.a "!<arch>\n")
# CMake takes heddle cc for a clang that compiles CUDA: it wants a folder for libdevice, and for separate compilation the tools
# of the device linker, whose results nobody reads, and an empty source between them.
file(MAKE_DIRECTORY ${toolkit}/nvvm/libdevice ${toolkit}/bin/crt)
file(TOUCH ${toolkit}/nvvm/libdevice/.empty ${toolkit}/bin/crt/link.stub)
foreach(tool nvlink fatbinary)
  configure_file(${toolkit_source}/makes_nothing ${toolkit}/bin/${tool} COPYONLY)
endforeach()
file(CREATE_LINK ../../../include/heddle-cuda ${toolkit}/include SYMBOLIC)
foreach(name libcudart.so libcudart.so.13 libcudart.so.12 libcudart.so.11.0 libcuda.so libcuda.so.1)
  file(CREATE_LINK ../../../${name} ${toolkit}/lib64/${name} SYMBOLIC)
endforeach()
install(DIRECTORY ${toolkit} DESTINATION lib/heddle USE_SOURCE_PERMISSIONS)
