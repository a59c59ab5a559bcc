#include "lab/json_input.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "base/text_bytes.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

constexpr int kMaxDepth = 64;  // of lists and objects in each other

// Of a run.json; run_example() adds the parts below.
constexpr const char* kRunExample = R"({
  "heddle?": {"version?": ""}, "gpu?": "", "scheduler?": "", "cta_scheduler?": "",
  "functional?": true, "elapsed_times?": 0, "host?": {"kernel_seconds?": 0.5},
  "program?": {"path?": "", "arguments?": [""], "registers?": {"*": 0}},
  "configuration?": {"toml?": ""}, "totals": {}, "kernels": [{}]
})";
constexpr const char* kLaunchExample = R"({
  "name?": "", "cycles?": 0, "thread_instructions?": 0, "warp_instructions?": 0,
  "registers_per_thread?": 0, "shared_bytes?": 0, "last_cta_dispatched_at?": 0,
  "start_cycle?": 0, "compared_addresses?": 0,
  "dram?": {"reads?": 0, "writes?": 0, "row_hits?": 0},
  "slots?": {"*": 0},
  "sm?": {"cycles?": 0, "resident_warp_cycles?": 0, "coalesced_accesses?": 0,
          "lsu_stalls?": {"*": 0}, "accesses_per_instruction?": [0]},
  "ctas?": {"count?": 0, "mean_cycles?": 0.5, "last_cycles?": 0},
  "policy?": {"*": null}, "cta_sharing?": {"*": 0},
  "occupancy?": {"ctas_per_sm?": 0, "warps_per_sm?": 0, "limiter?": ""},
  "rates?": {"dram_bank_parallelism?": 0.5, "dram_bandwidth?": 0.5, "resident_warps?": 0.5,
             "lanes_per_instruction?": 0.5},
  "read_time?": {"mean?": 0.5, "network_down?": 0.5, "l2?": 0.5, "dram_queue?": 0.5, "dram?": 0.5,
                 "network_up?": 0.5},
  "energy?": {"*": 0.5},
  "series?": {"columns": [""], "levels?": [""], "rows": [[0.5]]},
  "details?": {"instructions": [{"source?": "", "ptx_line?": 0, "what?": "", "slots": {"*": 0},
    "accesses?": 0, "executions?": 0, "active_lanes?": 0, "l1d?": {"*": 0}}]}
})";
constexpr const char* kCacheExample = R"({
  "accesses?": 0, "hits?": 0, "pending_hits?": 0, "misses?": 0, "hits_same_warp?": 0,
  "hits_other_warp?": 0, "reservation_fails?": {"*": 0}
})";

ordered_json run_example() {
  ordered_json run = ordered_json::parse(kRunExample), launch = ordered_json::parse(kLaunchExample);
  launch["l1d?"] = launch["l2?"] = ordered_json::parse(kCacheExample);
  run["totals"] = launch;
  run["totals"].erase("series?");  // of launches
  run["totals"].erase("details?");
  run["totals"]["simulated?"] = {
      {"timed?", 0}, {"truncated?", 0}, {"functional?", 0}, {"timed_share?", 0.5}};
  launch["simulated?"] = "";
  run["kernels"] = ordered_json::array({launch});
  return run;
}

bool is_negative(const ordered_json& json) {
  return json.is_number_integer() && !json.is_number_unsigned() && json.get<std::int64_t>() < 0;
}

const char* type_words(const ordered_json& json) {
  if (json.is_string()) return "a text";
  if (is_negative(json)) return "a negative number";
  if (json.is_number()) return "a number";
  if (json.is_boolean()) return "true or false";
  if (json.is_array()) return "a list";
  return json.is_object() ? "an object" : "null";
}

const char* example_words(const ordered_json& example) {
  return example.is_number_integer() ? "a whole number" : type_words(example);
}

bool has_type(const ordered_json& json, const ordered_json& example) {
  if (example.is_null()) return true;
  if (example.is_number_integer()) return json.is_number_integer() && !is_negative(json);
  if (example.is_number()) return json.is_number();
  return json.type() == example.type();
}

class ShapeCheck {
 public:
  explicit ShapeCheck(const std::string& name) : name_(name) {}

  void check(const ordered_json& json, const ordered_json& example, const std::string& place) {
    if (!has_type(json, example))
      fail(place,
           std::string("must be ") + example_words(example) + ", but is " + type_words(json));
    if (example.is_array())
      for (std::size_t i = 0; i < json.size(); ++i)
        check(json[i], example.at(0), place + "/" + std::to_string(i));
    if (example.is_object()) check_object(json, example, place);
  }

 private:
  void check_object(const ordered_json& json, const ordered_json& example,
                    const std::string& place) {
    const auto others = example.find("*");
    for (const auto& [key, value] : json.items()) {
      auto known = example.find(key);
      if (known == example.end()) known = example.find(key + "?");
      if (known == example.end()) known = others;
      if (known != example.end()) check(value, *known, place + "/" + key);
    }
    for (const auto& [key, value] : example.items())
      if (key != "*" && !key.ends_with("?") && !json.contains(key))
        fail(place + "/" + key, "is missing");
  }

  [[noreturn]] void fail(const std::string& place, const std::string& problem) const {
    throw UserError(name_ + ": " + (place.empty() ? "the whole" : readable_text(place)) + " " +
                    problem);
  }

  const std::string& name_;
};

}  // namespace

ordered_json parse_json(const std::string& text, const std::string& name) {
  const auto bounded = [&](int depth, ordered_json::parse_event_t, const ordered_json&) {
    if (depth > kMaxDepth)
      throw UserError(name + ": lists and objects are nested more than " +
                      std::to_string(kMaxDepth) + " deep");
    return true;
  };
  try {
    return ordered_json::parse(text, bounded);
  } catch (const ordered_json::parse_error& error) {
    const std::string_view before = std::string_view(text).substr(0, error.byte);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw UserError({name, static_cast<int>(line), 0}, "this is not JSON");
  } catch (const ordered_json::out_of_range&) {
    throw UserError(name + ": a number is too large");
  }
}

void check_shape(const ordered_json& json, const ordered_json& example, const std::string& name) {
  ShapeCheck(name).check(json, example, "");
}

void check_run_json(const ordered_json& json, const std::string& name) {
  static const ordered_json example = run_example();
  if (!json.is_object() || !json.contains("totals") || !json.contains("kernels"))
    throw UserError(name + ": is not a run.json of Heddle");
  check_shape(json, example, name);
}

}  // namespace heddle::lab
