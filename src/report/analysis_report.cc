#include "report/analysis_report.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "report/svg.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

std::string extent_of(const ordered_json& e) {
  std::string text = std::to_string(e[0].get<unsigned>());
  for (std::size_t n = 1; n < 3; ++n)
    if (e[1].get<unsigned>() != 1 || e[2].get<unsigned>() != 1)
      if (n == 1 || e[2].get<unsigned>() != 1) text += "x" + std::to_string(e[n].get<unsigned>());
  return text;
}

std::string line_of(const ordered_json& at) {
  if (!at.contains("line")) return "unknown line";
  const std::string file = at["file"];
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), at["line"].get<unsigned>());
}

std::string title_of(const ordered_json& kernel) {
  const auto launches = kernel["launches"].get<std::uint64_t>();
  return fmt::format("{}\n  grid {}, CTAs of {} threads, {} launch{}, analysed in {:.1f} ms\n",
                     kernel.value("kernel", ""), extent_of(kernel["grid"]),
                     extent_of(kernel["block"]), grouped(launches), launches == 1 ? "" : "es",
                     kernel["milliseconds"].get<double>());
}

std::string accesses_text(const ordered_json& kernel, int width) {
  TextTable table({{"", Align::right}, {"access"}, {"line"}, {"address"}});
  std::size_t number = 0;
  for (const ordered_json& a : kernel["accesses"]) {
    const bool affine = a["affine"];
    std::string address =
        affine ? a["form"].get<std::string>() : "not affine: " + a["reason"].get<std::string>();
    if (affine && a["uniform"].get<bool>()) address += " (the same in every CTA)";
    table.add_row({std::to_string(number++),
                   fmt::format("{}{} {} bytes", a["space"] == "local" ? "local " : "",
                               a["act"].get<std::string>(), a["bytes"].get<unsigned>()),
                   line_of(a), address});
  }
  return number == 0 ? "  no global or local access\n" : table.text("  ", width);
}

std::string distance_text(std::uint64_t x, std::uint64_t y) {
  if (x > 0 && y > 0) return fmt::format("{} along x and {} along y", grouped(x), grouped(y));
  return fmt::format("{} along {}", grouped(x > 0 ? x : y), x > 0 ? "x" : "y");
}

std::string ctas_text(const ordered_json& kernel, bool keep_uniform) {
  const ordered_json& reuse = kernel[keep_uniform ? "ctas_with_uniform" : "ctas"];
  const std::string incomplete =
      reuse.contains("incomplete")
          ? "  some affine accesses are left out: " + reuse["incomplete"].get<std::string>() + "\n"
          : "";
  const auto x = reuse["distance_x"].get<std::uint64_t>(),
             y = reuse["distance_y"].get<std::uint64_t>();
  if (x == 0 && y == 0) {
    const bool uniform = kernel["ctas_with_uniform"]["direction"] != "none";
    const ordered_json& accesses = kernel["accesses"];
    const bool known = std::all_of(accesses.begin(), accesses.end(), [](const ordered_json& a) {
      return a["affine"].get<bool>() || a["act"] != "load" || a["space"] != "global";
    });
    return std::string("  CTAs share no lines") + (known ? "" : " through affine loads") +
           (uniform && !keep_uniform ? ", except those of accesses that are the same in every CTA"
                                     : "") +
           ": direction none\n" + incomplete;
  }
  std::string text = fmt::format("  CTAs share lines at distances of up to {}: direction {}\n",
                                 distance_text(x, y), reuse["direction"].get<std::string>());
  for (const ordered_json& p : reuse["pairs"]) {
    const auto first = p["first"].get<std::size_t>(), second = p["second"].get<std::size_t>();
    text += fmt::format("    access {} {}: {}\n", first,
                        first == second ? "with itself" : fmt::format("with access {}", second),
                        distance_text(p["distance_x"], p["distance_y"]));
  }
  return text + incomplete;
}

std::string group_text(unsigned alone, unsigned mapped) {
  if (alone == 0 && mapped == 0) return "no groups are needed";
  if (alone == mapped) return fmt::format("groups of {} warps", alone);
  return fmt::format("{}; with CTA mapping {}",
                     alone ? fmt::format("groups of {} warps", alone) : "no groups are needed",
                     mapped ? fmt::format("groups of {} warps", mapped) : "none");
}

std::string loop_text(const ordered_json& l) {
  const std::string where = "  loop at " + line_of(l) + ": ";
  if (l.contains("reason")) return where + "not analysed: " + l["reason"].get<std::string>() + "\n";
  std::string text = where + group_text(l["group"], l["group_with_mapping"]) + "\n";
  const auto window = l["window_trips"].get<std::uint64_t>();
  if (l["intra_warp"].get<bool>())
    text += fmt::format(
        "    a warp touches a line again up to {} iteration{} later: {} lines of a warp in {} "
        "iterations, {} warps fit\n",
        grouped(window), window == 1 ? "" : "s", grouped(l["warp_footprint"].get<std::uint64_t>()),
        grouped(window + 1), l["warps_by_intra"].get<unsigned>());
  if (l["inter_warp"].get<bool>())
    text += fmt::format("    warps of a CTA share lines: the lines of {} consecutive warps fit\n",
                        l["warps_by_inter"].get<unsigned>());
  if (!l["intra_warp"].get<bool>() && !l["inter_warp"].get<bool>())
    text += "    no warp touches a line again, and warps of a CTA share none\n";
  return text;
}

std::string colour_of(double share) {
  // From white to blue.
  const auto channel = [share](int full) { return static_cast<int>(255 - share * (255 - full)); };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(0x1f), channel(0x4e), channel(0x9e));
}

}  // namespace

std::string analysis_text(const ordered_json& analysis, bool keep_uniform, int width) {
  std::string text;
  for (const ordered_json& kernel : analysis["kernels"]) {
    if (!text.empty()) text += "\n";
    text += title_of(kernel) + accesses_text(kernel, width);
    if (kernel.contains("not_analysed")) {
      text += "  not analysed: " + kernel["not_analysed"].get<std::string>() + "\n";
      continue;
    }
    text += ctas_text(kernel, keep_uniform);
    for (const ordered_json& loop : kernel["loops"]) text += loop_text(loop);
  }
  if (const auto more = analysis["launches_not_shown"].get<std::uint64_t>(); more > 0)
    text +=
        fmt::format("\n{} more launches have other sizes or parameters; they are not analysed\n",
                    grouped(more));
  return text;
}

std::string sharing_map(const ordered_json& analysis) {
  static const char* const kShades[] = {"·", "░", "▒", "▓", "█"};
  std::string text;
  for (const ordered_json& kernel : analysis["kernels"]) {
    if (!kernel.contains("map")) continue;
    const ordered_json& map = kernel["map"];
    const auto lines = std::max<std::uint64_t>(1, map["lines"]);
    const unsigned width = map["extent"][0], height = map["extent"][1], x0 = map["first"][0],
                   y0 = map["first"][1], x = map["cta"][0], y = map["cta"][1];
    text += fmt::format(
        "{}\n  lines of CTA ({},{}) that other CTAs touch, of {}; x to the right, y downwards\n",
        kernel.value("kernel", ""), x, y, grouped(map["lines"].get<std::uint64_t>()));
    for (unsigned row = 0; row < height; ++row) {
      text += fmt::format("  {:>5} ", y0 + row);
      for (unsigned column = 0; column < width; ++column) {
        const auto shared = map["shared"][row * width + column].get<std::uint64_t>();
        const std::uint64_t shade =
            shared == 0 ? 0 : std::min<std::uint64_t>(4, 1 + shared * 4 / lines);
        text += x0 + column == x && y0 + row == y ? "◆" : kShades[shade];
      }
      text += "\n";
    }
    text += "        · none  ░ up to a quarter  ▒ a half  ▓ three quarters  █ more  ◆ this CTA\n";
  }
  return text;
}

std::string svg_of_sharing(const ordered_json& analysis) {
  constexpr double kCell = 14, kLeft = 50, kTop = 60, kGap = 70;
  Svg svg;
  double top = kTop, widest = 300;
  for (const ordered_json& kernel : analysis["kernels"]) {
    if (!kernel.contains("map")) continue;
    const ordered_json& map = kernel["map"];
    const auto lines = std::max<std::uint64_t>(1, map["lines"]);
    const unsigned width = map["extent"][0], height = map["extent"][1], x0 = map["first"][0],
                   y0 = map["first"][1], x = map["cta"][0], y = map["cta"][1];
    const std::string words = fmt::format("Lines of CTA ({},{}) that other CTAs touch, of {}", x, y,
                                          grouped(map["lines"].get<std::uint64_t>()));
    svg.text(kLeft, top - 22, kernel.value("kernel", ""), Svg::Anchor::start, 13);
    svg.text(kLeft, top - 6, words, Svg::Anchor::start, 11, "#666666");
    for (unsigned row = 0; row < height; ++row)
      for (unsigned column = 0; column < width; ++column) {
        const auto shared = map["shared"][row * width + column].get<std::uint64_t>();
        const bool self = x0 + column == x && y0 + row == y;
        const double share = static_cast<double>(shared) / static_cast<double>(lines);
        svg.rectangle(kLeft + column * kCell, top + row * kCell, kCell - 1, kCell - 1,
                      self          ? "#d97706"
                      : shared == 0 ? "#eeeeee"
                                    : colour_of(0.2 + 0.8 * share),
                      fmt::format("CTA ({},{}): {} lines", x0 + column, y0 + row, shared));
      }
    svg.text(kLeft - 6, top + kCell - 3, std::to_string(y0), Svg::Anchor::end, 11, "#666666");
    svg.text(kLeft - 6, top + height * kCell - 3, std::to_string(y0 + height - 1), Svg::Anchor::end,
             11, "#666666");
    svg.text(kLeft, top + height * kCell + 13, std::to_string(x0), Svg::Anchor::start, 11,
             "#666666");
    svg.text(kLeft + width * kCell, top + height * kCell + 13, std::to_string(x0 + width - 1),
             Svg::Anchor::end, 11, "#666666");
    widest = std::max({widest, kLeft + width * kCell + 20,
                       kLeft + Svg::text_width(kernel.value("kernel", ""), 13) + 20,
                       kLeft + Svg::text_width(words, 11) + 20});
    top += height * kCell + kGap;
  }
  return svg.document(widest, top - kGap + 40, "CTAs that share lines");
}

}  // namespace heddle::report
