# A folder with the layout of a CUDA toolkit, for Makefiles and CMake that need one:
# make CUDA_PATH=$(heddle cc --print-toolkit).
include_guard(GLOBAL)

set(toolkit ${CMAKE_BINARY_DIR}/lib/heddle/toolkit)
set(toolkit_source ${CMAKE_SOURCE_DIR}/sdk/toolkit)
file(MAKE_DIRECTORY ${toolkit}/bin ${toolkit}/lib64)
configure_file(${toolkit_source}/nvcc ${toolkit}/bin/nvcc COPYONLY)
configure_file(${toolkit_source}/libcudart_static.a ${toolkit}/lib64/libcudart_static.a COPYONLY)
file(WRITE ${toolkit}/lib64/libcudadevrt.a "!<arch>\n")
# CMake treats heddle cc as a clang that compiles CUDA. It needs a folder for libdevice. For
# separate compilation it needs the tools of the device linker, whose results are not used, and an
# empty source. libnvvm.so is added by nvvm.cmake.
file(MAKE_DIRECTORY ${toolkit}/nvvm/libdevice ${toolkit}/bin/crt)
file(CREATE_LINK ../../../device_math.bc ${toolkit}/nvvm/libdevice/libdevice.10.bc SYMBOLIC)
file(TOUCH ${toolkit}/bin/crt/link.stub)
foreach(tool nvlink fatbinary)
  configure_file(${toolkit_source}/no_output ${toolkit}/bin/${tool} COPYONLY)
endforeach()
file(CREATE_LINK ../../../include/heddle-cuda ${toolkit}/include SYMBOLIC)
foreach(name libcudart.so libcudart.so.13 libcudart.so.12 libcudart.so.11.0 libcuda.so libcuda.so.1)
  file(CREATE_LINK ../../../${name} ${toolkit}/lib64/${name} SYMBOLIC)
endforeach()
