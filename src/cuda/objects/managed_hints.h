// Hints of the program about ranges of managed memory. They are stored and returned; nothing that
// is simulated depends on them.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace heddle::cuda {

// A value for every byte: the last one that was set for a range with this byte, or `otherwise`.
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
  // The value of all bytes of the range if they have the same one, or `otherwise`.
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

  std::map<std::uint64_t, int> steps_;  // values by first address
  int otherwise_;
};

// Devices are numbers, the host is cudaCpuDeviceId, none is cudaInvalidDeviceId.
struct ManagedHints {
  static constexpr int kHost = -1, kNone = -2;
  RangeValues read_mostly{0}, preferred{kNone}, last_prefetch{kNone}, device_accesses{0},
      host_accesses{0};
  void clear(std::uint64_t begin, std::uint64_t bytes) {
    for (RangeValues* values :
         {&read_mostly, &preferred, &last_prefetch, &device_accesses, &host_accesses})
      values->clear(begin, bytes);
  }
};

}  // namespace heddle::cuda
