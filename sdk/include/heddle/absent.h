// Calls of libraries that Heddle does not have. A program that names them compiles and links; a
// call prints its name once and returns a status. HEDDLE_ABSENT(library, result, status, name)
// defines one. In C++ it is an object, whose address converts to every type of function
// pointer, because the signature is not known.
#pragma once

#include <stdio.h>

#define HEDDLE_REFUSE(library, result, status, name)                                    \
  static int printed = 0;                                                               \
  if (!printed)                                                                         \
    fputs("heddle: " #name ": Heddle's " library " does not have this call\n", stderr); \
  printed = 1;                                                                          \
  return (result)status;

#ifdef __cplusplus
#define HEDDLE_ABSENT(library, result, status, name)                             \
  struct HeddleAbsent_##name : heddle::AbsentCall<result, HeddleAbsent_##name> { \
    static result refuse() { HEDDLE_REFUSE(library, result, status, name) }      \
  };                                                                             \
  static constexpr HeddleAbsent_##name name{};

extern "C++" {
namespace heddle {
template <class Result, class Call>
struct AbsentCall {
  template <class Other, class... Arguments>
  using Pointer = Other (*)(Arguments...);

  template <class... Arguments>
  Result operator()(const Arguments&...) const {
    return Call::refuse();
  }
  const Call& operator&() const { return static_cast<const Call&>(*this); }
  template <class Other, class... Arguments>
  operator Pointer<Other, Arguments...>() const {
    return [](Arguments...) -> Other { return Call::refuse(); };
  }
};
}  // namespace heddle
}
#else
#define HEDDLE_ABSENT(library, result, status, name) \
  static inline result name() { HEDDLE_REFUSE(library, result, status, name) }
#endif
