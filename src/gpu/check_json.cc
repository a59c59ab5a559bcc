#include "gpu/check_json.h"

#include <nlohmann/json.hpp>

#include "base/demangle.h"

namespace heddle::gpu {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(exec::Tool tool) {
  switch (tool) {
    case exec::Tool::memory: return "memory";
    case exec::Tool::races: return "races";
    case exec::Tool::init: return "init";
    default: return "barriers";
  }
}

Json triple(const Dim3& d) { return {d.x, d.y, d.z}; }

void put_place(Json& json, const exec::Place& place) {
  if (place.ptx_line == 0) return;
  if (!place.file.empty()) json["file"] = place.file, json["line"] = place.line;
  json["ptx"] = place.module, json["ptx_line"] = place.ptx_line;
}

void put_thread(Json& json, const exec::ThreadId& id) {
  json["cta"] = triple(id.cta), json["thread"] = triple(id.thread);
}

Json finding_json(const exec::Finding& f) {
  Json json{{"tool", name_of(f.tool)}, {"what", f.what}};
  if (!f.kernel.empty()) {
    json["kernel"] = demangle(f.kernel), json["grid"] = f.grid;
    put_place(json, f.place);
    put_thread(json, f.who);
  }
  if (!f.space.empty()) json["space"] = f.space, json["address"] = f.address;
  if (!f.nearest.empty()) json["allocation"] = f.nearest;
  if (f.other) {
    Json other{{"act", f.other->act}};
    put_thread(other, f.other->who);
    put_place(other, f.other->place);
    json["other"] = std::move(other);
  }
  if (!f.note.empty()) json["note"] = f.note;
  json["count"] = f.count;
  return json;
}

}  // namespace

Json check_json(const exec::Checker& checker) {
  const config::CheckSpec& spec = checker.spec();
  Json tools = Json::array(), findings = Json::array();
  const auto add = [&](bool asked, exec::Tool tool) {
    if (asked) tools.push_back(name_of(tool));
  };
  add(spec.memory, exec::Tool::memory);
  add(spec.races, exec::Tool::races);
  add(spec.init, exec::Tool::init);
  add(spec.barriers, exec::Tool::barriers);
  for (const exec::Finding& finding : checker.findings()) findings.push_back(finding_json(finding));
  return {{"tools", std::move(tools)},
          {"strict", spec.strict},
          {"launches", checker.launches()},
          {"unreported", checker.unreported()},
          {"findings", std::move(findings)}};
}

}  // namespace heddle::gpu
