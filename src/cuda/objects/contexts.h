// Contexts of the driver API. There is one device and one memory, so a context is only a handle:
// which exist, and which a thread has made current.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace heddle::cuda {

using ContextHandle = std::uintptr_t;  // 0: none

// The contexts of one thread; the last is current. Has no destructor, so that destructors of the
// program's own objects may still call the API.
class ContextStack {
 public:
  ContextHandle current() const { return depth_ == 0 ? 0 : handles_[depth_ - 1]; }
  bool push(ContextHandle context);  // false: the stack is full
  ContextHandle pop();               // 0: the stack is empty
  void remove(ContextHandle context);

 private:
  std::array<ContextHandle, 64> handles_{};
  std::size_t depth_ = 0;
};

class Contexts {
 public:
  static constexpr ContextHandle kPrimary = 0x100;

  // The primary context exists while the runtime uses it or it is retained.
  bool primary_active() const { return runtime_uses_primary_ || retained_ > 0; }
  void retain_primary() { ++retained_; }
  bool release_primary();  // false: it does not exist
  void reset_primary();
  // A call of the runtime needs a context: the primary one becomes current when none is.
  void bind_runtime(ContextStack& stack);

  void add(ContextHandle context, unsigned flags) { created_.emplace(context, flags); }
  bool destroy(ContextHandle context) { return created_.erase(context) > 0; }
  bool exists(ContextHandle context) const;
  // Null for the primary context, whose flags are those of the device, and for unknown contexts.
  unsigned* flags(ContextHandle context);

 private:
  std::map<ContextHandle, unsigned> created_;  // flags by handle; without the primary one
  unsigned retained_ = 0;
  bool runtime_uses_primary_ = false;
};

}  // namespace heddle::cuda
