// Checks a program that runs functionally for mistakes whose results depend on chance. Holds what
// is known about device memory from launch to launch, and the findings.
#pragma once

#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "config/run_spec.h"
#include "exec/check/finding.h"
#include "exec/check/order.h"
#include "exec/check/shadow.h"
#include "exec/state/machine.h"

namespace heddle::exec {

class CtaCheck;

class Checker {
 public:
  Checker(const config::CheckSpec& spec, GlobalMemory& memory);

  // Accesses of the host to device memory.
  void allocated(Address first, std::uint64_t bytes) { unwritten_.set(first.value, bytes); }
  void written(Address first, std::uint64_t bytes) { unwritten_.clear(first.value, bytes); }
  // What the launch did to these bytes is ordered before all that follows.
  void forget_accesses(Address first, std::uint64_t bytes) {
    current_.accesses.forget(first.value, bytes);
  }
  void copied(Address to, Address from, std::uint64_t bytes) {
    unwritten_.copy(to.value, from.value, bytes);
  }

  // A launch by a kernel may begin and end within another launch.
  void begin(const Launch& launch, std::span<const DecodedInstruction> code);
  void end();
  // Adds a finding for each allocation that the program has not freed.
  void find_leaks();

  const std::vector<Finding>& findings() const { return findings_; }
  std::uint64_t unreported() const { return unreported_; }  // different findings beyond the limit
  std::uint64_t launches() const { return launches_; }
  const config::CheckSpec& spec() const { return spec_; }

  // A possible finding of a CTA's checks.
  struct Detail {
    Tool tool;
    const char* kind;  // distinguishes findings at one place
    std::string what, note;
    Pc pc = kNoPc;
    ThreadId who;
    ptx::Space space = ptx::Space::none;
    std::uint64_t address = 0;
    Pc other_pc = kNoPc;
    const char* other_act = nullptr;
    ThreadId other{};
  };
  // Adds a finding, or counts it when it is known already.
  void add(const Detail& detail);
  ThreadId thread_id(std::uint64_t cta, std::uint32_t thread) const;
  bool same_line(Pc a, Pc b) const;
  bool fences() const { return current_.fences; }
  bool blind() const { return current_.blind; }
  std::uint32_t stamp() const { return current_.stamp; }
  GlobalMemory& memory() { return memory_; }
  UnwrittenBytes& unwritten() { return unwritten_; }
  AccessMap& accesses() { return current_.accesses; }
  GridOrder& order() { return current_.order; }
  // The checks of the CTAs of clusters that run.
  void enter_cluster(std::uint64_t cta, CtaCheck& check) { current_.in_clusters[cta] = &check; }
  CtaCheck* in_cluster(std::uint64_t cta) { return current_.in_clusters.at(cta); }

 private:
  using Key = std::tuple<std::string, std::string, Pc, Pc>;  // kernel, kind, pcs
  Key key_of(const Detail& detail) const;
  bool known(const Detail& detail);
  Place place(Pc pc) const;

  config::CheckSpec spec_;
  GlobalMemory& memory_;
  UnwrittenBytes unwritten_{kHeapBase};
  struct Current {
    Launch launch;
    std::span<const DecodedInstruction> code;
    AccessMap accesses;
    GridOrder order;
    std::uint32_t stamp = 0;
    std::unordered_map<std::uint64_t, CtaCheck*> in_clusters;
    bool fences = false;  // the kernel has a fence
    bool blind = false;   // the kernel moves data with instructions that are not checked
  };
  Current current_;
  std::vector<Current> outer_;  // launches whose kernels wait for the current one
  bool running_ = false;
  std::uint64_t launches_ = 0, unreported_ = 0;
  std::map<Key, std::size_t> by_place_;
  std::vector<Finding> findings_;
};

}  // namespace heddle::exec
