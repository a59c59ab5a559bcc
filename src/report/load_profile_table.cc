#include "report/load_profile_table.h"

#include <fmt/format.h>

#include "base/demangle.h"
#include "report/text_table.h"

namespace heddle::report {

std::string load_profile_table(const sched::LoadProfile& profile, int width) {
  using enum Align;
  TextTable table({{"kernel", left},
                   {"loop", left},
                   {"own lines", right},
                   {"local", left},
                   {"load at PTX line", right},
                   {"diverged", left},
                   {"scattered", right},
                   {"group", right}});
  bool any_load = false;
  for (const auto& kernel : profile.kernels)
    for (const auto& loop : kernel.loops)
      for (const auto& load : loop.loads) {
        any_load = true;
        const bool first = &load == &loop.loads.front();
        const double share =
            loop.accesses ? static_cast<double>(loop.own) / static_cast<double>(loop.accesses) : 0;
        table.add_row({first ? plain_name(kernel.name) : "", first ? loop.source : "",
                       first ? percent(share) : "", first ? loop.local ? "yes" : "no" : "",
                       fmt::format("{}", load.ptx_line), load.diverged ? "yes" : "no",
                       load.executions ? percent(static_cast<double>(load.scattered) /
                                                 static_cast<double>(load.executions))
                                       : "-",
                       fmt::format("{}", load.group)});
      }
  return any_load ? table.text(" ", width) : " no load in a loop uses the L1\n";
}

}  // namespace heddle::report
