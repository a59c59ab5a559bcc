# The libraries of sdk/libraries, compiled by Heddle itself: shared objects under the names of
# NVIDIA's, for programs that are linked with -lcublas and the like.
include_guard(GLOBAL)

set(libraries_folder ${CMAKE_SOURCE_DIR}/sdk/libraries)
set(library_files "")
set(library_links "")

# heddle_library(NAME PREFIX OTHER_NAMES...): libNAME from sdk/libraries/NAME/*.cu, which exports
# what begins with PREFIX. Sources that end in _80, _89 or _90a use instructions of that compute
# capability. A library may call those before it.
function(heddle_library name prefix)
  list(POP_FRONT ARGN soname)
  file(GLOB sources CONFIGURE_DEPENDS ${libraries_folder}/${name}/*.cu)
  set(folder ${CMAKE_BINARY_DIR}/libraries/${name})
  file(WRITE ${folder}/exports.map "{ global: ${prefix}*; local: *; };\n")
  foreach(source IN LISTS sources)
    get_filename_component(stem ${source} NAME_WE)
    set(architecture "")
    if(stem MATCHES "_(80|89|90a)$")
      set(architecture -arch=sm_${CMAKE_MATCH_1})
    endif()
    set(object ${folder}/${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND $<TARGET_FILE:heddle> cc -O2 -std=c++20 ${architecture} -Xcompiler -fPIC
              -I ${libraries_folder} -I ${cuda_lists} -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS heddle heddle_device_math cuda_headers_written ${source} DEPFILE ${object}.d
      COMMENT "heddle cc ${name}/${stem}.cu" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(file ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${soname})
  set(links "")
  foreach(link IN LISTS ARGN)
    list(APPEND links COMMAND ${CMAKE_COMMAND} -E create_symlink ${soname}
         ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${link})
    file(CREATE_LINK ../../../${link} ${toolkit}/lib64/${link} SYMBOLIC)
  endforeach()
  file(CREATE_LINK ../../../${soname} ${toolkit}/lib64/${soname} SYMBOLIC)
  add_custom_command(OUTPUT ${file}
    COMMAND $<TARGET_FILE:heddle> cc -shared -Wl,--strip-all -Wl,-soname,${soname}
            -Wl,--version-script=${folder}/exports.map -o ${file} ${objects}
            -Wl,--as-needed ${library_files}
    ${links}
    DEPENDS ${objects} ${library_files} cudart COMMENT "Linking ${soname}" VERBATIM)
  set(library_files ${library_files} ${file} PARENT_SCOPE)
  set(library_links ${library_links} ${ARGN} PARENT_SCOPE)
endfunction()

if(TARGET heddle AND TARGET cudart)
  heddle_library(cublas cublas libcublas.so.13 libcublas.so libcublas.so.12 libcublas.so.11
    libcublas.so.10 libcublasLt.so libcublasLt.so.13 libcublasLt.so.12 libcublasLt.so.11)
  heddle_library(cufft cufft libcufft.so.12 libcufft.so libcufft_static.so libcufft.so.11
    libcufft.so.10)
  heddle_library(curand curand libcurand.so.10 libcurand.so libcurand_static.so)
  heddle_library(cusparse cusparse libcusparse.so.12 libcusparse.so libcusparse.so.11
    libcusparse.so.10)
  heddle_library(cusolver cusolver libcusolver.so.12 libcusolver.so libcusolver.so.11
    libcusolver.so.10)
  add_custom_target(libraries ALL DEPENDS ${library_files})
endif()
