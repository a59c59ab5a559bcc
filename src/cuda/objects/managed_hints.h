// What a program has said about ranges of managed memory. Kept and told; nothing that is simulated
// depends on it.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace heddle::cuda {

// A value per byte: that of the last range set that covers it, else `otherwise`.
class RangeValues {
 public:
  explicit RangeValues(int otherwise) : otherwise_(otherwise) {}
  void set(std::uint64_t begin, std::uint64_t bytes, int value) {
    if (bytes == 0) return;
    split(begin), split(begin + bytes);
    steps_.erase(steps_.lower_bound(begin), steps_.lower_bound(begin + bytes));
    steps_[begin] = value;
  }
  void clear(std::uint64_t begin, std::uint64_t bytes) { set(begin, bytes, otherwise_); }
  // The one value of all of them, else `otherwise`.
  int of_all(std::uint64_t begin, std::uint64_t bytes) const {
    const int first = at(begin);
    for (auto step = steps_.upper_bound(begin); step != steps_.end() && step->first < begin + bytes;
         ++step) {
      if (step->second != first) return otherwise_;
    }
    return first;
  }

 private:
  int at(std::uint64_t address) const {
    const auto next = steps_.upper_bound(address);
    return next == steps_.begin() ? otherwise_ : std::prev(next)->second;
  }
  void split(std::uint64_t address) { steps_.emplace(address, at(address)); }

  std::map<std::uint64_t, int> steps_;  // from this address on
  int otherwise_;
};

// Devices by number, the host as cudaCpuDeviceId, nobody as cudaInvalidDeviceId.
struct ManagedHints {
  static constexpr int kHost = -1, kNobody = -2;
  RangeValues read_mostly{0}, preferred{kNobody}, last_prefetch{kNobody}, device_accesses{0},
      host_accesses{0};
  void forget(std::uint64_t begin, std::uint64_t bytes) {
    for (RangeValues* values :
         {&read_mostly, &preferred, &last_prefetch, &device_accesses, &host_accesses})
      values->clear(begin, bytes);
  }
};

}  // namespace heddle::cuda
