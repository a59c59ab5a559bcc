#include "cuda/driver/jit_options.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace heddle::cuda {
namespace {

// Writes where the program may write; false elsewhere.
bool write_if_mapped(void* to, float value) {
  const iovec from{&value, sizeof value}, at{to, sizeof value};
  return process_vm_writev(getpid(), &from, 1, &at, 1, 0) == sizeof value;
}

}  // namespace

JitOptions::JitOptions(unsigned count, const CUjit_option* names, void** values) {
  const auto bytes = [](const void* value) {
    return reinterpret_cast<std::uintptr_t>(value) & 0xffffffff;
  };
  for (unsigned i = 0; names && values && i < count; ++i) {
    void*& value = values[i];
    switch (names[i]) {
      case CU_JIT_INFO_LOG_BUFFER: information_.buffer = static_cast<char*>(value); break;
      case CU_JIT_ERROR_LOG_BUFFER: error_.buffer = static_cast<char*>(value); break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        information_.room = bytes(value), information_.size = &value;
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        error_.room = bytes(value), error_.size = &value;
        break;
      case CU_JIT_WALL_TIME: wall_time_ = &value; break;
      default: break;
    }
  }
  for (const Log& log : {information_, error_})
    if (log.buffer && log.room > 0) log.buffer[0] = 0;
}

void JitOptions::Log::write(std::string_view text) const {
  const std::size_t length = room > 0 ? std::min(text.size(), room - 1) : 0;
  if (buffer && room > 0) {
    std::memcpy(buffer, text.data(), length);
    buffer[length] = 0;
  }
  if (size) *size = reinterpret_cast<void*>(length);
}

void JitOptions::write_empty_sizes() const {
  information_.write("");
  error_.write("");
}

// CUDA's header says that the value itself becomes the time. Its sample ptxjit gives the address of
// a variable.
void JitOptions::write_wall_time(double milliseconds) const {
  if (!wall_time_) return;
  const auto value = static_cast<float>(milliseconds);
  if (write_if_mapped(*wall_time_, value)) return;
  *wall_time_ = reinterpret_cast<void*>(std::uintptr_t{std::bit_cast<std::uint32_t>(value)});
}

}  // namespace heddle::cuda
