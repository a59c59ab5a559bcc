// Warns when the host makes no CUDA call for a long time while work waits in its streams. The
// device advances only while the host waits for it, so a host that polls memory in a loop never
// sees the result. The warning changes nothing that is simulated.
#pragma once

#include <cstdint>

namespace heddle::cuda {

class Session;

class PollingWatch {
 public:
  static constexpr int kPatience_s = 10;
  // Called every second with the number of CUDA calls so far, and whether work waits. Returns true
  // once: after kPatience_s seconds without a call while work waited.
  bool second_passed(std::uint64_t calls, bool work_waits) {
    const bool polls = work_waits && calls == calls_;
    calls_ = calls;
    seconds_ = polls ? seconds_ + 1 : 0;
    return seconds_ == kPatience_s && !warned_ && (warned_ = true);
  }

 private:
  std::uint64_t calls_ = 0;
  int seconds_ = 0;
  bool warned_ = false;
};

// Starts a thread that watches the session until it has warned.
void watch_for_polling(Session& session);

}  // namespace heddle::cuda
