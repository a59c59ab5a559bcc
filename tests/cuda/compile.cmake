# The compile driver: unit tests, and the accuracy of device mathematics.
if(TARGET heddle_compile)
  file(GLOB sources CONFIGURE_DEPENDS compile_*test.cc patches_*_test.cc)
  add_executable(cuda_compile_test ${sources})
  target_include_directories(cuda_compile_test PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(cuda_compile_test PRIVATE heddle_compile GTest::gtest_main)
  target_compile_definitions(cuda_compile_test PRIVATE HEDDLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_precompile_headers(cuda_compile_test REUSE_FROM base_test)
  gtest_discover_tests(cuda_compile_test TEST_PREFIX cuda/ DISCOVERY_TIMEOUT 60)
endif()
# Device functions are compared with the host's; the programs print PASS or FAIL.
if(TARGET heddle AND TARGET cudart)
  foreach(name math_accuracy fast_math)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu)
    set(program ${CMAKE_CURRENT_BINARY_DIR}/${name})
    set(options -O2 -Xcompiler -O0)  # the host code is large
    if(name STREQUAL fast_math)
      list(APPEND options -use_fast_math)
    endif()
    add_custom_command(OUTPUT ${program}
      COMMAND $<TARGET_FILE:heddle> cc ${options} -o ${program} ${source}
      DEPENDS heddle cudart ${device_math} ${source} COMMENT "heddle cc ${name}.cu" VERBATIM)
    add_custom_target(${name}_program ALL DEPENDS ${program})
  endforeach()
  add_test(NAME cuda/DeviceMathematicsIsWithinCudasBounds
    COMMAND $<TARGET_FILE:heddle> run --functional ${CMAKE_CURRENT_BINARY_DIR}/math_accuracy)
  set_tests_properties(cuda/DeviceMathematicsIsWithinCudasBounds PROPERTIES
    PASS_REGULAR_EXPRESSION "RESULT math PASS")
  add_test(NAME cuda/FastMathematicsIsWithinItsBounds
    COMMAND $<TARGET_FILE:heddle> run --functional ${CMAKE_CURRENT_BINARY_DIR}/fast_math)
  set_tests_properties(cuda/FastMathematicsIsWithinItsBounds PROPERTIES
    PASS_REGULAR_EXPRESSION "RESULT fast math PASS")
endif()
