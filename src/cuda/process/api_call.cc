#include "cuda/process/api_call.h"

#include <cstdio>

namespace heddle::cuda {

CallingThread& calling_thread() {
  thread_local CallingThread thread;
  return thread;
}

void explain(const char* call, const std::string& why) {
  std::fflush(stdout);
  std::fprintf(stderr, "heddle: %s: %s\n", call, why.c_str());
}

}  // namespace heddle::cuda
