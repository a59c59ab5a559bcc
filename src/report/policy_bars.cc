#include "report/policy_bars.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

ordered_json list_at(const ordered_json& kernel, const char* where) {
  return kernel.value(ordered_json::json_pointer(where), ordered_json::array());
}

BarPicture last_ctas(const std::string& kernel, const ordered_json& list) {
  BarPicture picture{kernel + ": kaws, time of the last CTA of each SM",
                     "core cycles from its start to its end; ended: from the kernel's start",
                     {}};
  for (const ordered_json& last : list) {
    const std::uint64_t cycles = last.at("cycles");
    picture.bars.push_back({fmt::format("SM {}, CTA {}", last.at("sm").get<std::uint64_t>(),
                                        last.at("cta").get<std::uint64_t>()),
                            static_cast<double>(cycles),
                            fmt::format("{}, ended {}", grouped(cycles),
                                        grouped(last.at("ended").get<std::uint64_t>()))});
  }
  return picture;
}

BarPicture classified_loads(const std::string& kernel, const ordered_json& list) {
  BarPicture picture{kernel + ": daws, the loads that SM 0 classified",
                     "lines that a full warp touches in an iteration of the load's loop; loads of "
                     "one group touch the same",
                     {}};
  for (const ordered_json& load : list) {
    const std::uint64_t lines = load.at("loop_lines");
    picture.bars.push_back({fmt::format("pc {}, loop {}", load.at("pc").get<std::uint64_t>(),
                                        load.at("loop").get<std::uint64_t>()),
                            static_cast<double>(lines),
                            fmt::format("{} lines; {}, group {}, locality {:+.0f}", lines,
                                        load.at("diverged") != 0 ? "diverged" : "not diverged",
                                        load.at("group").get<std::uint64_t>(),
                                        load.at("loop_locality").get<double>())});
  }
  return picture;
}

BarPicture phases(const std::string& kernel, const ordered_json& cycles) {
  double whole = 0;
  for (const auto& [phase, count] : cycles.items()) whole += count.get<double>();
  BarPicture picture{kernel + ": ipaws, cycles of each phase", "cycles, summed over SMs", {}};
  for (const auto& [phase, count] : cycles.items())
    if (whole > 0)
      picture.bars.push_back({phase, count.get<double>(),
                              fmt::format("{}, {:.0f} %", grouped(count.get<std::uint64_t>()),
                                          100 * count.get<double>() / whole)});
  return picture;
}

}  // namespace

std::vector<BarPicture> policy_bars(const ordered_json& results, std::size_t max_pictures) {
  std::vector<BarPicture> pictures;
  const auto add = [&](BarPicture picture) {
    if (!picture.bars.empty() && pictures.size() < max_pictures)
      pictures.push_back(std::move(picture));
  };
  for (const ordered_json& kernel : results.at("kernels")) {
    const std::string name = plain_name(kernel.value("name", ""));
    add(phases(name,
               kernel.value("/policy/ipaws/phase_cycles"_json_pointer, ordered_json::object())));
    add(classified_loads(name, list_at(kernel, "/policy/daws/loads")));
    add(last_ctas(name, list_at(kernel, "/policy/kaws/last_ctas")));
  }
  return pictures;
}

}  // namespace heddle::report
