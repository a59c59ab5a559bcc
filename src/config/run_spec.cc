#include "config/run_spec.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "config/json_fields.h"
#include "config/json_text.h"
#include "config/parameter.h"

namespace nlohmann {

template <>
struct adl_serializer<heddle::config::GpuSpec> {
  static void to_json(json& text, const heddle::config::GpuSpec& gpu) {
    heddle::config::GpuSpec copy = gpu;
    json values = json::object();
    for (const auto& parameter : parameters(copy)) values[parameter.key] = parameter.text();
    text = {{"name", gpu.name}, {"values", values}};
  }
  static void from_json(const json& text, heddle::config::GpuSpec& gpu) {
    text.at("name").get_to(gpu.name);
    const json& values = text.at("values");
    for (const auto& parameter : parameters(gpu))
      if (const std::string problem = parameter.assign(values.at(parameter.key).get<std::string>());
          !problem.empty())
        throw heddle::UserError("run specification: " + problem);
  }
};

template <>
struct adl_serializer<heddle::config::KernelSelection> {
  static void to_json(json& text, const heddle::config::KernelSelection& kernels) {
    text = kernels.text();
  }
  static void from_json(const json& text, heddle::config::KernelSelection& kernels) {
    if (const auto given = text.get<std::string>(); !given.empty())
      kernels = heddle::config::KernelSelection(given);
  }
};

}  // namespace nlohmann

namespace heddle::config {

const std::map<std::string, CodeKind>& code_kinds() {
  static const std::map<std::string, CodeKind> kinds{
      {"auto", CodeKind::automatic}, {"ptx", CodeKind::ptx}, {"sass", CodeKind::sass}};
  return kinds;
}

std::string_view to_string(CodeKind kind) {
  const auto& kinds = code_kinds();
  return std::find_if(kinds.begin(), kinds.end(),
                      [&](const auto& one) { return one.second == kind; })
      ->first;
}

bool from_string(const std::string& name, CodeKind& kind) {
  const auto found = code_kinds().find(name);
  if (found != code_kinds().end()) kind = found->second;
  return found != code_kinds().end();
}

using nlohmann::json;

std::string RunSpec::to_json() const { return kept_json_text(json(*this), 1); }

RunSpec RunSpec::from_json(const std::string& text) {
  try {
    return read_kept_json<json>(text).get<RunSpec>();
  } catch (const json::exception& error) {
    throw UserError(std::string("the run specification is damaged: ") + error.what());
  }
}

}  // namespace heddle::config
