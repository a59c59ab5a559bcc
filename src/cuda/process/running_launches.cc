#include "cuda/process/running_launches.h"

#include "base/demangle.h"

namespace heddle::cuda {

std::string RunningLaunches::text() const {
  std::string text;
  if (!simulates_) return text;
  for (const auto& [number, kernel] : running_)
    text += (text.empty() ? "launch " : ", launch ") + std::to_string(number) + " (" +
            plain_name(kernel->name) + ")";
  return text;
}

}  // namespace heddle::cuda
