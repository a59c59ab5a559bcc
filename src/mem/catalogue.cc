#include "mem/catalogue.h"

#include "base/diagnostics.h"

namespace heddle::mem {

// Each policy is one file in replacement/ or dram/ that defines one of these functions.
ReplacementEntry fifo();
ReplacementEntry lru();
ReplacementEntry random_line();
ReplacementEntry srrip();
DramSchedulerEntry fcfs();
DramSchedulerEntry fr_fcfs();

const std::vector<ReplacementEntry>& ReplacementEntry::catalogue() {
  static const std::vector<ReplacementEntry> entries = {lru(), fifo(), random_line(), srrip()};
  return entries;
}

const std::vector<DramSchedulerEntry>& DramSchedulerEntry::catalogue() {
  static const std::vector<DramSchedulerEntry> entries = {fr_fcfs(), fcfs()};
  return entries;
}

namespace {

template <class E>
void resolve(const char* parameter, std::string& text) {
  try {
    text = policies::parse<E>(text)->text();
  } catch (const UserError& error) {
    throw UserError(std::string(parameter) + ": " + error.what());
  }
}

}  // namespace

void resolve_policies(config::GpuSpec& gpu) {
  resolve<ReplacementEntry>("sm.l1d.replacement", gpu.sm.l1d.replacement);
  resolve<ReplacementEntry>("sm.l1i.replacement", gpu.sm.l1i.replacement);
  resolve<ReplacementEntry>("sm.constant.replacement", gpu.sm.constant.replacement);
  resolve<ReplacementEntry>("sm.texture.replacement", gpu.sm.texture.replacement);
  resolve<ReplacementEntry>("memory.l2.replacement", gpu.memory.l2.replacement);
  resolve<DramSchedulerEntry>("memory.dram.scheduler", gpu.memory.dram.scheduler);
}

}  // namespace heddle::mem
