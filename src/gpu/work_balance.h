// Which thread does what: the homes of SMs and memory partitions, from the time that each took lately. Homes change seldom, for
// caches must follow. Nothing that is simulated depends on them.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::gpu {

class WorkBalance {
 public:
  // Items 0 .. sms - 1 are SMs, the rest memory partitions.
  WorkBalance(std::uint32_t sms, std::uint32_t partitions, std::uint32_t threads);

  std::uint32_t home(std::uint32_t item) const { return homes_[item]; }
  // By the thread that did the item.
  void took(std::uint32_t item, std::uint64_t ticks) { costs_[item].ticks += ticks < kMostTicks ? ticks : kMostTicks; }
  // Between windows.
  void window_done() {
    if (threads_ > 1 && ++windows_ % kWindowsPerLook == 0) look();
  }

 private:
  static constexpr std::uint64_t kMostTicks = 200'000;  // whoever takes longer was interrupted
  static constexpr std::uint64_t kWindowsPerLook = 256;
  struct alignas(64) Cost { std::uint64_t ticks = 0; };

  void look();
  void settle(const std::vector<std::uint64_t>& ticks, std::uint64_t share);

  std::uint32_t sms_, threads_;
  std::vector<std::uint32_t> homes_;
  std::vector<Cost> costs_;  // since the last look
  std::uint64_t windows_ = 0;
};

}  // namespace heddle::gpu
