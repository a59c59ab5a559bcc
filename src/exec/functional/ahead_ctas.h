// CTAs of a functional launch that other threads of the host run before earlier CTAs have ended.
//
// The main thread runs CTAs in their order. In a round each other thread runs some later CTAs, and
// keeps their stores apart. At the end of the round the stores are written to the memory in the
// order of the CTAs. Memory and counts are those of one thread, because the later CTAs read nothing
// that the launch writes. Where they do, or do anything else that depends on earlier CTAs, all that
// was done ahead is dropped, and the main thread runs these CTAs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "exec/functional/functional_cta.h"
#include "exec/state/allocation_claims.h"

namespace heddle::exec {

class AheadCtas {
 public:
  // Numbers the n-th CTA of the launch.
  using Numbering = std::function<std::uint64_t(std::uint64_t)>;

  // Do CTAs of the kernel depend on each other through plain loads and stores alone?
  static bool are_possible(const DecodedKernel& kernel);

  // Launch and memory outlive the object.
  AheadCtas(const Launch& launch, GlobalMemory& memory, const MachineView& machine,
            const std::shared_ptr<const DecodedKernel>& decoded, const CompiledKernel& compiled,
            Numbering numbering);
  // Stops the threads.
  ~AheadCtas();

  // For the main thread's CTAs from the first round on.
  ThreadClaims& main_claims() { return main_claims_; }
  // The CTAs of each thread in a round: 0 when a round saves no time. `left` CTAs have not started;
  // each that has ended has executed so many warp instructions in the mean.
  static std::uint64_t share_of_thread(std::uint64_t left, std::uint64_t instructions_of_cta,
                                       std::uint64_t threads, std::uint64_t round_instructions);
  // Begins a round with the n-th CTA when it saves time.
  void begin(std::uint64_t n, std::uint64_t left, std::uint64_t instructions_of_cta);
  bool active() const { return active_; }
  // The CTAs [first_ahead(), end_ahead()) run ahead in this round.
  std::uint64_t first_ahead() const { return first_ahead_; }
  std::uint64_t end_ahead() const { return end_ahead_; }
  // The CTAs before first_ahead() have ended: waits for the others. Nothing when these must run
  // again.
  std::optional<FunctionalCounts> finish();

 private:
  class Helper;

  GlobalMemory& memory_;
  AllocationClaims claims_;
  ThreadClaims main_claims_;
  Numbering numbering_;
  std::vector<std::unique_ptr<Helper>> helpers_;
  std::uint64_t round_instructions_;  // of a thread in the next round
  std::uint64_t first_ahead_ = 0, end_ahead_ = 0;
  bool active_ = false;
};

}  // namespace heddle::exec
