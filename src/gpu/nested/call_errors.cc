#include "gpu/nested/call_errors.h"

#include <cstring>

#include "exec/state/launch.h"
#include "gpu/nested/cuda_errors.h"

namespace heddle::gpu {

CallErrors::Thread CallErrors::thread_of(const exec::DeviceCall& call) {
  return {call.launch->grid_id, call.cta, call.thread};
}

std::uint64_t CallErrors::answer(const exec::DeviceCall& call, int error) {
  if (error != cuda_error::kNone) errors_[thread_of(call)] = error;
  return static_cast<std::uint64_t>(error);
}

std::uint64_t CallErrors::last(const exec::DeviceCall& call, Then then) {
  const auto found = errors_.find(thread_of(call));
  if (found == errors_.end()) return cuda_error::kNone;
  const int error = found->second;
  if (then == Then::reset) errors_.erase(found);
  return static_cast<std::uint64_t>(error);
}

void CallErrors::forget(std::uint64_t grid) {
  errors_.erase(errors_.lower_bound({grid, 0, 0}), errors_.lower_bound({grid + 1, 0, 0}));
}

std::uint64_t CallErrors::address_of_text(int error, bool name, const std::string& text) {
  std::uint64_t& address = texts_[{error, name}];
  if (address == 0) {
    const Address at = memory_.allocate(text.size() + 1, "text of an error");
    if (at == Address{0}) return 0;
    std::memcpy(memory_.host(at), text.c_str(), text.size() + 1);
    address = at.value;
  }
  return address;
}

void CallErrors::save(DeviceRuntimeState& state) const {
  for (const auto& [text, address] : texts_)
    state.texts.push_back({text.first, text.second, address});
}

void CallErrors::restore(const DeviceRuntimeState& state) {
  for (const DeviceRuntimeState::Text& text : state.texts)
    texts_[{text.error, text.name}] = text.address;
}

}  // namespace heddle::gpu
