// Reads results for the golden tests.
//   run_json get FILE totals.cycles    prints the value
//   run_json same_totals FILE FILE     exit 0 when the totals are equal, except for "details"
//   run_json pattern_of FILE SM        exit 0 when the issue patterns are those of this SM
//   run_json adds_up FILE -            exit 0 when details add up to the statistics of each kernel
//   run_json same FILE FILE            exit 0 when both are equal, except for "host"
//   run_json same_instructions NUMBER FILE...
//                                      exit 0 when all have so many thread instructions
#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using Json = nlohmann::json;

Json read(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return Json::parse(file);
}

int get(const Json& run, std::string path) {
  for (char& c : path)
    if (c == '.') c = '/';
  std::cout << run.at(Json::json_pointer("/" + path)) << "\n";
  return 0;
}

int same(Json a, Json b) {
  a.erase("host");
  b.erase("host");
  const Json difference = Json::diff(a, b);
  if (difference.empty()) return 0;
  std::cerr << "the runs differ in " << difference.size()
            << " places, first: " << difference.front().dump() << "\n";
  return 1;
}

Json plain_totals(Json run) {
  run["totals"].erase("details");
  return {{"totals", run["totals"]}};
}

int same_instructions(std::uint64_t expected, char** first, char** end) {
  for (char** file = first; file != end; ++file)
    if (const Json counted = read(*file).at("totals").at("thread_instructions");
        counted != expected) {
      std::cerr << *file << ": " << counted << " thread instructions instead of " << expected
                << "\n";
      return 1;
    }
  return 0;
}

std::uint64_t sum(const Json& counts) {
  std::uint64_t total = 0;
  for (const Json& count : counts) total += count.get<std::uint64_t>();
  return total;
}

void check_that(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

void check_slots(const Json& kernel) {
  for (const auto& [use, count] : kernel["slots"].items()) {
    std::uint64_t by_scheduler = 0, by_instruction = kernel["details"]["unattributed_slots"][use];
    for (const Json& scheduler : kernel["details"]["schedulers"])
      by_scheduler += scheduler["slots"][use].get<std::uint64_t>();
    for (const Json& instruction : kernel["details"]["instructions"])
      by_instruction += instruction["slots"][use].get<std::uint64_t>();
    check_that(by_scheduler == count && by_instruction == count,
               "slots of schedulers or instructions do not add up");
  }
}

void check_caches(const Json& kernel) {
  for (const char* cache : {"l1d", "l2"}) {
    const Json &detail = kernel["details"][cache], &counts = kernel[cache];
    check_that(sum(detail["reads"]) + sum(detail["writes"]) == counts["accesses"],
               "accesses by kind do not add up");
    check_that(sum(detail["writes"]) == counts["write_accesses"], "writes by kind do not add up");
    check_that(detail["reads"]["hit_same_warp"].get<std::uint64_t>() +
                       detail["writes"]["hit_same_warp"].get<std::uint64_t>() ==
                   counts["hits_same_warp"],
               "hits of the same warp differ from those of the cache");
  }
}

void check_rest(const Json& kernel) {
  std::uint64_t executed = 0;
  for (const Json& instruction : kernel["details"]["instructions"])
    executed += instruction["executions"].get<std::uint64_t>();
  check_that(executed == kernel["warp_instructions"],
             "executions differ from the warp instructions");
  for (const Json& loop : kernel["details"]["loops"])
    check_that(
        loop["accesses"].get<std::uint64_t>() == loop["hits_this_trip"].get<std::uint64_t>() +
                                                     loop["hits_last_trip"].get<std::uint64_t>() +
                                                     loop["hits_other"].get<std::uint64_t>() +
                                                     loop["misses"].get<std::uint64_t>(),
        "accesses of a loop are not its hits and misses");
  check_that(kernel["details"]["ctas"]["rows"].size() == kernel["ctas"]["count"],
             "a CTA is not listed");
  const Json& series = kernel["series"];
  const auto& columns = series["columns"];
  const auto column = static_cast<std::size_t>(
      std::find(columns.begin(), columns.end(), "sm.warp_instructions") - columns.begin());
  std::uint64_t issued = 0;
  for (const Json& row : series["rows"]) issued += row.at(column).get<std::uint64_t>();
  check_that(issued == kernel["warp_instructions"], "rows of the series do not add up");
}

void check_loops(const Json& run) {
  for (const auto& [name, total] : run["totals"]["details"]["loops"].items()) {
    std::uint64_t all = 0;
    for (const Json& kernel : run["kernels"])
      for (const Json& loop : kernel["details"]["loops"]) all += loop[name].get<std::uint64_t>();
    check_that(all == total, "loops of the kernels do not add up to the totals");
  }
}

int adds_up(const Json& run) {
  check_loops(run);
  for (const Json& kernel : run["kernels"]) {
    check_slots(kernel);
    check_caches(kernel);
    check_rest(kernel);
  }
  return 0;
}

}  // namespace

int pattern_of(const Json& run, std::size_t sm) {
  std::uint64_t all = 0;
  for (const Json& kernel : run["kernels"]) {
    const Json& details = kernel["details"];
    std::vector<std::uint64_t> issued = details["warp_instructions_by_sm_and_slot"][sm],
                               shown(issued.size());
    for (const Json& row : details["issue_pattern"]["rows"])
      for (std::size_t w = 0; w < row.size(); ++w) shown[w] += row[w].get<std::uint64_t>();
    if (details["issue_pattern"]["sm"] != sm || shown != issued) return 1;
    for (const std::uint64_t n : shown) all += n;
  }
  return all > 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  try {
    if (argc > 3 && std::string(argv[1]) == "same_instructions")
      return same_instructions(std::stoull(argv[2]), argv + 3, argv + argc);
    const std::string verb = argc == 4 ? argv[1] : "";
    if (verb == "get") return get(read(argv[2]), argv[3]);
    if (verb == "pattern_of") return pattern_of(read(argv[2]), std::stoul(argv[3]));
    if (verb == "adds_up") return adds_up(read(argv[2]));
    if (verb == "same_totals")
      return same(plain_totals(read(argv[2])), plain_totals(read(argv[3])));
    if (verb == "same") return same(read(argv[2]), read(argv[3]));
    std::cerr << "usage: run_json get FILE PATH | run_json same FILE FILE\n";
  } catch (const std::exception& error) {
    std::cerr << "run_json: " << error.what() << "\n";
  }
  return 2;
}
