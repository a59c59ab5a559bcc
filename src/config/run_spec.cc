#include "config/run_spec.h"

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "config/json_text.h"
#include "config/parameter.h"

namespace heddle::config {
namespace {

using nlohmann::json;

json gpu_to_json(const GpuSpec& gpu) {
  GpuSpec copy = gpu;
  json values = json::object();
  for (const Parameter& parameter : parameters(copy)) values[parameter.key] = parameter.text();
  return {{"name", gpu.name}, {"values", values}};
}

GpuSpec gpu_from_json(const json& text) {
  GpuSpec gpu;
  gpu.name = text.at("name").get<std::string>();
  const json& values = text.at("values");
  for (const Parameter& parameter : parameters(gpu))
    if (const std::string problem = parameter.assign(values.at(parameter.key).get<std::string>());
        !problem.empty())
      throw UserError("run specification: " + problem);
  return gpu;
}

}  // namespace

std::string RunSpec::to_json() const {
  const json text = {{"gpu", gpu_to_json(gpu)},
                     {"scheduler", scheduler},
                     {"cta_scheduler", cta_scheduler},
                     {"share", share},
                     {"plugins", plugins},
                     {"functional", functional},
                     {"progress", progress},
                     {"threads", threads},
                     {"share_always", share_always},
                     {"seed", seed},
                     {"registers", registers},
                     {"program", program},
                     {"result_path", result_path},
                     {"control_path", control_path},
                     {"corun", {{"captures", corun.captures}, {"once", corun.once}}},
                     {"capture",
                      {{"path", capture.path},
                       {"cut", capture.cut},
                       {"first", capture.first},
                       {"last", capture.last},
                       {"images_every", capture.images_every}}},
                     {"from_launch", from_launch},
                     {"memory_bytes", memory_bytes},
                     {"timed",
                      {{"kernels", timed.kernels.text()},
                       {"skip", timed.skip},
                       {"limit_cycles", timed.limit_cycles},
                       {"limit_instructions", timed.limit_instructions}}},
                     {"watch",
                      {{"cta_sharing", watch.cta_sharing},
                       {"first_warp", watch.first_warp},
                       {"details", watch.details},
                       {"pattern_sm", watch.pattern_sm},
                       {"interval", watch.interval},
                       {"timeline_path", watch.timeline_path},
                       {"timeline_from", watch.timeline_from},
                       {"timeline_to", watch.timeline_to}}},
                     {"check",
                      {{"enabled", check.enabled},
                       {"memory", check.memory},
                       {"races", check.races},
                       {"init", check.init},
                       {"barriers", check.barriers},
                       {"strict", check.strict},
                       {"leaks", check.leaks},
                       {"limit", check.limit}}},
                     {"analysis",
                      {{"enabled", analysis.enabled},
                       {"map", analysis.map},
                       {"check", analysis.check},
                       {"usable", analysis.usable},
                       {"operations", analysis.operations}}}};
  return kept_json_text(text, 1);
}

RunSpec RunSpec::from_json(const std::string& text) {
  try {
    const json values = read_kept_json<json>(text);
    RunSpec spec;
    spec.gpu = gpu_from_json(values.at("gpu"));
    values.at("scheduler").get_to(spec.scheduler);
    values.at("cta_scheduler").get_to(spec.cta_scheduler);
    values.at("share").get_to(spec.share);
    values.at("plugins").get_to(spec.plugins);
    values.at("functional").get_to(spec.functional);
    values.at("progress").get_to(spec.progress);
    values.at("threads").get_to(spec.threads);
    values.at("share_always").get_to(spec.share_always);
    values.at("seed").get_to(spec.seed);
    values.at("registers").get_to(spec.registers);
    values.at("program").get_to(spec.program);
    values.at("result_path").get_to(spec.result_path);
    values.at("control_path").get_to(spec.control_path);
    values.at("corun").at("captures").get_to(spec.corun.captures);
    values.at("corun").at("once").get_to(spec.corun.once);
    const json& capture = values.at("capture");
    capture.at("path").get_to(spec.capture.path);
    capture.at("cut").get_to(spec.capture.cut);
    capture.at("first").get_to(spec.capture.first);
    capture.at("last").get_to(spec.capture.last);
    capture.at("images_every").get_to(spec.capture.images_every);
    values.at("from_launch").get_to(spec.from_launch);
    values.at("memory_bytes").get_to(spec.memory_bytes);
    const json& timed = values.at("timed");
    if (const auto kernels = timed.at("kernels").get<std::string>(); !kernels.empty())
      spec.timed.kernels = KernelSelection(kernels);
    timed.at("skip").get_to(spec.timed.skip);
    timed.at("limit_cycles").get_to(spec.timed.limit_cycles);
    timed.at("limit_instructions").get_to(spec.timed.limit_instructions);
    const json& watch = values.at("watch");
    watch.at("cta_sharing").get_to(spec.watch.cta_sharing);
    watch.at("first_warp").get_to(spec.watch.first_warp);
    watch.at("details").get_to(spec.watch.details);
    watch.at("pattern_sm").get_to(spec.watch.pattern_sm);
    watch.at("interval").get_to(spec.watch.interval);
    watch.at("timeline_path").get_to(spec.watch.timeline_path);
    watch.at("timeline_from").get_to(spec.watch.timeline_from);
    watch.at("timeline_to").get_to(spec.watch.timeline_to);
    const json& check = values.at("check");
    check.at("enabled").get_to(spec.check.enabled);
    check.at("memory").get_to(spec.check.memory);
    check.at("races").get_to(spec.check.races);
    check.at("init").get_to(spec.check.init);
    check.at("barriers").get_to(spec.check.barriers);
    check.at("strict").get_to(spec.check.strict);
    check.at("leaks").get_to(spec.check.leaks);
    check.at("limit").get_to(spec.check.limit);
    const json& analysis = values.at("analysis");
    analysis.at("enabled").get_to(spec.analysis.enabled);
    analysis.at("map").get_to(spec.analysis.map);
    analysis.at("check").get_to(spec.analysis.check);
    analysis.at("usable").get_to(spec.analysis.usable);
    analysis.at("operations").get_to(spec.analysis.operations);
    return spec;
  } catch (const json::exception& error) {
    throw UserError(std::string("the run specification is damaged: ") + error.what());
  }
}

}  // namespace heddle::config
