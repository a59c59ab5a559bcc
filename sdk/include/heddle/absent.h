// Calls of libraries that Heddle does not have. A program that names them compiles and links; a
// call prints its name once and returns a status. HEDDLE_ABSENT(library, result, status, name)
// defines one.
#pragma once

#include <stdio.h>

#if defined(__cplusplus)
#define HEDDLE_ABSENT_PARAMETERS (Arguments...)
#define HEDDLE_ABSENT_START template <class... Arguments> inline
#else
#define HEDDLE_ABSENT_PARAMETERS ()
#define HEDDLE_ABSENT_START static inline
#endif
#define HEDDLE_ABSENT(library, result, status, name)                              \
  HEDDLE_ABSENT_START result name HEDDLE_ABSENT_PARAMETERS {                      \
    static int printed = 0;                                                       \
    if (!printed)                                                                 \
      fputs("heddle: " #name ": Heddle's " library " does not have this call\n",  \
            stderr);                                                              \
    printed = 1;                                                                  \
    return (result)status;                                                        \
  }
