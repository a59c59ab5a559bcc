# The compile driver: its parts by unit tests, and compilations of the programs beside this file with the driver built here.
if(TARGET heddle_compile)
  file(GLOB sources CONFIGURE_DEPENDS compile*_test.cc)
  add_executable(cuda_compile_test ${sources})
  target_link_libraries(cuda_compile_test PRIVATE heddle_compile GTest::gtest_main)
  target_compile_definitions(cuda_compile_test PRIVATE HEDDLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  gtest_discover_tests(cuda_compile_test TEST_PREFIX cuda/ DISCOVERY_TIMEOUT 60)
endif()
# The mathematics on the simulator against the host's: compiled by heddle cc, run without timing, prints PASS or FAIL.
if(TARGET heddle AND TARGET cudart)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/math_accuracy)
  add_custom_command(OUTPUT ${program}
    COMMAND $<TARGET_FILE:heddle> cc -O2 -o ${program} ${CMAKE_CURRENT_SOURCE_DIR}/math_accuracy.cu
    DEPENDS heddle cudart ${device_math} ${CMAKE_CURRENT_SOURCE_DIR}/math_accuracy.cu COMMENT "heddle cc math_accuracy.cu" VERBATIM)
  add_custom_target(math_accuracy_program ALL DEPENDS ${program})
  add_test(NAME cuda/MathematicsIsWithinTheBoundsOfCuda COMMAND $<TARGET_FILE:heddle> run --functional ${program})
  set_tests_properties(cuda/MathematicsIsWithinTheBoundsOfCuda PROPERTIES PASS_REGULAR_EXPRESSION "RESULT math PASS")
  set(fast_math ${CMAKE_CURRENT_BINARY_DIR}/fast_math)
  add_custom_command(OUTPUT ${fast_math}
    COMMAND $<TARGET_FILE:heddle> cc -use_fast_math -O2 -o ${fast_math} ${CMAKE_CURRENT_SOURCE_DIR}/fast_math.cu
    DEPENDS heddle cudart ${device_math} ${CMAKE_CURRENT_SOURCE_DIR}/fast_math.cu COMMENT "heddle cc fast_math.cu" VERBATIM)
  add_custom_target(fast_math_program ALL DEPENDS ${fast_math})
  add_test(NAME cuda/FastMathematicsIsWithinItsBounds COMMAND $<TARGET_FILE:heddle> run --functional ${fast_math})
  set_tests_properties(cuda/FastMathematicsIsWithinItsBounds PROPERTIES PASS_REGULAR_EXPRESSION "RESULT fast math PASS")
endif()
