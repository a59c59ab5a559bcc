// Functions of libraries that Heddle does not have. Including their headers compiles, and so does a
// call in an inline function that is not used. Any other call is an error at its line.
// HEDDLE_ABSENT(library, result, name) declares one.
#pragma once

#if defined(__cplusplus)
#define HEDDLE_ABSENT(library, result, name) \
  template <class... Arguments>              \
  __attribute__((error("Heddle has no " library))) result name(Arguments...);
#else
#define HEDDLE_ABSENT(library, result, name) \
  __attribute__((error("Heddle has no " library))) result name();
#endif
