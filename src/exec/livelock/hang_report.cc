#include "exec/livelock/hang_report.h"

#include "base/demangle.h"
#include "exec/fault.h"
#include "exec/state/global_memory.h"

namespace heddle::exec {
namespace {

[[noreturn]] void throw_hang(const Launch& launch, const std::string& headline,
                             const std::string& details, const std::string& printed) {
  throw KernelFault(KernelFault::Kind::deadlock,
                    "heddle: " + headline + program_line(launch) + "\n  kernel   " +
                        readable_name(launch.kernel->name) + details,
                    printed);
}

}  // namespace

std::string more_warps_line(int shown, int max_warps) {
  return shown > max_warps ? "\n  and " + std::to_string(shown - max_warps) + " more warps" : "";
}

std::string describe_warps(std::span<const Warp* const> warps, int max_warps,
                           const std::function<const char*(const Warp&)>& action) {
  std::string lines;
  int shown = 0;
  for (const Warp* w : warps) {
    if (w->stack.finished() || ++shown > max_warps) continue;
    const DecodedInstruction& r = w->machine->code[w->pc];
    const bool waits = r.flow == Flow::barrier;
    lines += "\n  warp " + std::to_string(w->warp_in_cta) + " of CTA " +
             triple(w->cta->x, w->cta->y, w->cta->z) + ": pc " + std::to_string(w->pc) + ", " +
             source_place(*w->machine->launch.kernel, ptx_of(r)) + ", active lanes " +
             hex(w->stack.active()) + ", " +
             (waits ? "waits at barrier " + std::to_string(w->arrived_at.id) : action(*w));
  }
  return lines + more_warps_line(shown, max_warps);
}

void throw_deadlock(const Launch& launch, const std::string& scope, const std::string& warps,
                    const std::string& printed) {
  throw_hang(launch, "deadlock: no warp of the " + scope + " can issue again", warps, printed);
}

void throw_livelock(const Launch& launch, const GlobalMemory& memory, const std::string& warps,
                    const std::string& printed) {
  // Only programs with memory that the host can write could rely on the host to end the wait.
  const std::string host = memory.allocations().reach_host()
                               ? "\n  The program cannot end the wait: a launch "
                                 "returns when its kernel has ended, and no "
                                 "other thread of the program runs meanwhile."
                               : "";
  throw_hang(launch, "livelock: every warp repeats the same state or waits for a warp that does",
             warps + host, printed);
}

void warn_probable_livelock(const Launch& launch, const std::string& duration,
                            const std::string& warps) {
  if (launch.services == nullptr || !launch.services->host.warn) return;
  launch.services->host.warn(
      "heddle: warning: probable livelock: for " + duration +
      " every warp has spun in a loop or waited at a barrier, and no warp has changed memory that "
      "others could read" +
      program_line(launch) + "\n  kernel   " + readable_name(launch.kernel->name) + warps +
      "\n  The run continues; an interrupt ends it.\n");
}

}  // namespace heddle::exec
