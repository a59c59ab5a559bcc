// page_check PAGE RUN_JSON: the figures of an --explain page are run.json's, or ratios of two.
// Computes them from run.json and searches the page for them.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

// "a" + a temporary string makes GCC 12 warn without cause.
template <class... Parts>
std::string joined(const Parts&... parts) {
  std::string text;
  ((text += parts), ...);
  return text;
}

std::string percent(double part, double whole, int digits) {
  return joined(fixed(whole > 0 ? 100 * part / whole : 0, digits), " %");
}

double number(const Json& at, const char* path) {
  return at.at(Json::json_pointer(path)).get<double>();
}

double sum(const std::vector<const Json*>& launches, const char* path) {
  double total = 0;
  for (const Json* launch : launches) total += number(*launch, path);
  return total;
}

double mean(const std::vector<const Json*>& launches, const char* path) {
  double total = 0, cycles = 0;
  for (const Json* launch : launches) {
    total += number(*launch, path) * number(*launch, "/cycles");
    cycles += number(*launch, "/cycles");
  }
  return cycles > 0 ? total / cycles : 0;
}

std::string plain(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return mangled;
  const std::size_t first = mangled.find_first_of("123456789"),
                    length = std::stoul(mangled.substr(first));
  return mangled.substr(mangled.find_first_not_of("0123456789", first), length);
}

// What the page must contain. Words around a figure prevent an accidental match.
std::vector<std::string> expected(const Json& run) {
  std::map<std::string, std::vector<const Json*>> by_name;
  for (const Json& kernel : run["kernels"]) by_name[plain(kernel["name"])].push_back(&kernel);
  std::string top;
  for (const auto& [name, launches] : by_name)
    if (top.empty() || sum(launches, "/cycles") > sum(by_name[top], "/cycles")) top = name;
  const auto& launches = by_name[top];
  std::vector<std::string> all{joined(grouped(static_cast<std::uint64_t>(sum(launches, "/cycles"))),
                                      " cycles, ", std::to_string(launches.size()), " launch")};
  double slots = 0;
  for (const auto& [use, count] : (*launches[0])["slots"].items())
    slots += sum(launches, joined("/slots/", use).c_str());
  for (const auto& [use, count] : (*launches[0])["slots"].items())
    if (const double used = sum(launches, joined("/slots/", use).c_str()); used / slots >= 0.005)
      all.push_back(percent(used, slots, 1));
  std::map<std::string, double> lines;
  for (const Json* launch : launches)
    for (const Json& i : (*launch)["details"]["instructions"]) {
      std::string place = i.value("source", "");
      if (place.empty()) place = joined("PTX line ", std::to_string(i.value("ptx_line", 0)));
      for (const auto& [use, count] : i["slots"].items()) lines[place] += count.get<double>();
    }
  std::vector<std::pair<double, std::string>> hottest;
  for (const auto& [place, count] : lines)
    hottest.emplace_back(-count, place.substr(place.rfind('/') + 1));
  std::sort(hottest.begin(), hottest.end());
  for (std::size_t i = 0; i < std::min<std::size_t>(3, hottest.size()); ++i)
    all.push_back(joined(percent(-hottest[i].first, slots, 1), "  ", hottest[i].second));
  for (const char* cache : {"l1d", "l2"}) {
    const std::string at = joined("/", cache, "/");
    const double accesses = sum(launches, joined(at, "accesses").c_str());
    if (accesses > 0)
      all.push_back(joined(percent(sum(launches, joined(at, "hits").c_str()), accesses, 1), " of ",
                           grouped(static_cast<std::uint64_t>(accesses)), " accesses hit"));
  }
  const double reads = sum(launches, "/dram/reads"), writes = sum(launches, "/dram/writes");
  if (reads + writes > 0) {
    all.push_back(joined(grouped(static_cast<std::uint64_t>(reads)), " reads, ",
                         grouped(static_cast<std::uint64_t>(writes)), " writes; ",
                         percent(sum(launches, "/dram/row_hits"), reads + writes, 1)));
    all.push_back(joined(fixed(mean(launches, "/rates/dram_bank_parallelism"), 1), " banks"));
  }
  const auto cycles_of = [&](const char* part) { return fixed(mean(launches, part), 0); };
  all.push_back(joined("takes ", cycles_of("/read_time/mean"),
                       " cycles: ", cycles_of("/read_time/network_down"), " to the L2, ",
                       cycles_of("/read_time/l2"), " in it, ", cycles_of("/read_time/dram_queue"),
                       " in the DRAM queue, ", cycles_of("/read_time/dram"), " in DRAM, ",
                       cycles_of("/read_time/network_up"), " back"));
  const Json& first = *launches[0];
  const int ctas_per_sm = first["occupancy"]["ctas_per_sm"].get<int>();
  all.push_back(joined(std::to_string(ctas_per_sm), ctas_per_sm == 1 ? " CTA = " : " CTAs = ",
                       std::to_string(first["occupancy"]["warps_per_sm"].get<int>())));
  all.push_back(joined("limited by ", first["occupancy"]["limiter"].get<std::string>()));
  all.push_back(joined(fixed(mean(launches, "/rates/resident_warps"), 1), " warps are resident"));
  all.push_back(joined(fixed(mean(launches, "/rates/lanes_per_instruction"), 1), " of 32 lanes"));
  const auto ctas = static_cast<std::uint64_t>(sum(launches, "/ctas/count"));
  all.push_back(joined(grouped(ctas), ctas == 1 ? " CTA: " : " CTAs: "));
  all.push_back(percent(sum(launches, "/energy/static_nj"), sum(launches, "/energy/total_nj"), 0));
  const double program = number(run, "/totals/cycles");
  for (const auto& [name, others] : by_name) {
    const double cycles = sum(others, "/cycles");
    if (name == top || cycles / program <= 0.1) continue;
    double their_slots = 0;
    for (const auto& [use, count] : (*others[0])["slots"].items())
      their_slots += sum(others, joined("/slots/", use).c_str());
    all.push_back(joined(name, ": ", percent(cycles, program, 0), " of the cycles (",
                         grouped(static_cast<std::uint64_t>(cycles))));
    all.push_back(
        joined("issued ", percent(sum(others, "/slots/issued"), their_slots, 1), " of the slots"));
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream page_file(argv[1]), run_file(argv[2]);
  const std::string page{std::istreambuf_iterator<char>(page_file), {}};
  int missing = 0;
  for (const std::string& part : expected(Json::parse(run_file))) {
    if (page.find(part) != std::string::npos) continue;
    std::cerr << "page_check: run.json gives \"" << part << "\", which is not on the page\n";
    ++missing;
  }
  return missing ? 1 : 0;
}
