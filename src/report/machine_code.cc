#include "report/machine_code.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "config/json_text.h"
#include "sass/listing.h"
#include "sass/program_listing.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

bool is_named(const sass::Code& code, const std::string& kernel) {
  return kernel.empty() || code.name == kernel || plain_name(code.name) == kernel;
}

std::string heading(const sass::Code& code) {
  const sass::KernelInfo& info = code.info;
  std::string text = fmt::format("// {} {}: {} registers", code.kernel ? "kernel" : "function",
                                 demangle(code.name), info.registers);
  if (code.shared_bytes > 0) text += fmt::format(", {} bytes of shared memory", code.shared_bytes);
  if (info.stack_bytes > 0) text += fmt::format(", {} bytes of stack", info.stack_bytes);
  if (info.parameter_bytes > 0)
    text += fmt::format(", {} bytes of parameters at c[0x0][{:#x}]", info.parameter_bytes,
                        info.parameter_base);
  return text + "\n";
}

std::string bits_text(const sass::InstructionWord& word) {
  return fmt::format("0x{:016x}{:016x}", word.high, word.low);
}

std::vector<sass::ListedInstruction> listing_of(const MachineCode& file, const sass::Code& code) {
  try {
    return sass::list_code(code, file.cubin.architecture);
  } catch (const UserError& error) {
    throw UserError(file.name + ": " + error.what());
  }
}

// Calls `use(file, code, listing)` for all code of this name.
template <class Use>
void for_each_code(const std::vector<MachineCode>& files, const std::string& kernel, Use use) {
  bool found = false;
  for (const MachineCode& file : files) {
    for (const sass::Code& code : file.cubin.code) {
      if (!is_named(code, kernel)) continue;
      found = true;
      use(file, code, listing_of(file, code));
    }
  }
  if (found || kernel.empty()) return;
  std::vector<std::string> names;
  for (const MachineCode& file : files) {
    for (const sass::Code& code : file.cubin.code) names.push_back(plain_name(code.name));
  }
  throw UserError("no kernel " + kernel + did_you_mean(kernel, names));
}

std::string instruction_line(const sass::ListedInstruction& listed) {
  const std::string place = fmt::format("  /*{:04x}*/ ", listed.address);
  if (const auto* instruction = std::get_if<sass::Instruction>(&listed.decoded))
    return fmt::format("{}{}  {}\n", place, sass::control_text(instruction->control),
                       sass::instruction_text(*instruction));
  return fmt::format("{}{}  // not known: {}\n", place, bits_text(listed.word),
                     std::get<sass::NotDecoded>(listed.decoded).reason);
}

Json control_json(const sass::Control& control) {
  return {{"stall_cycles", control.stall_cycles},
          {"yield", control.yield},
          {"write_barrier", control.write_barrier},
          {"read_barrier", control.read_barrier},
          {"wait_mask", control.wait_mask}};
}

Json instruction_json(const sass::ListedInstruction& listed) {
  Json json{{"address", listed.address}, {"bits", bits_text(listed.word)}};
  if (const auto* instruction = std::get_if<sass::Instruction>(&listed.decoded)) {
    json["opcode"] = sass::opcode_name(instruction->opcode);
    json["text"] = sass::instruction_text(*instruction);
    json["control"] = control_json(instruction->control);
  } else {
    json["not_known"] = std::get<sass::NotDecoded>(listed.decoded).reason;
  }
  if (listed.source) json["source"] = {listed.source->file, listed.source->line};
  return json;
}

Json code_json(const sass::Code& code, const std::vector<sass::ListedInstruction>& listing) {
  Json instructions = Json::array();
  for (const sass::ListedInstruction& listed : listing)
    instructions.push_back(instruction_json(listed));
  return {{"name", code.name},
          {"kernel", code.kernel},
          {"registers", code.info.registers},
          {"shared_bytes", code.shared_bytes},
          {"stack_bytes", code.info.stack_bytes},
          {"parameter_base", code.info.parameter_base},
          {"parameter_bytes", code.info.parameter_bytes},
          {"instructions", std::move(instructions)}};
}

bool is_complete(const std::vector<sass::ListedInstruction>& listing) {
  for (const sass::ListedInstruction& listed : listing) {
    if (std::holds_alternative<sass::NotDecoded>(listed.decoded)) return false;
  }
  return true;
}

}  // namespace

MachineCodeText machine_code_text(const std::vector<MachineCode>& files,
                                  const std::string& kernel) {
  MachineCodeText out;
  const MachineCode* last = nullptr;
  for_each_code(
      files, kernel, [&](const MachineCode& file, const sass::Code& code, const auto& listing) {
        if (&file != last)
          out.text += fmt::format("// {}: sm_{}\n", file.name, file.cubin.architecture);
        last = &file;
        out.text += heading(code);
        out.complete = out.complete && is_complete(listing);
        const sass::ListedLine* source = nullptr;
        for (const sass::ListedInstruction& listed : listing) {
          if (listed.source && listed.source != source)
            out.text += fmt::format("  // {}:{}\n", listed.source->file, listed.source->line);
          source = listed.source;
          out.text += instruction_line(listed);
        }
      });
  return out;
}

MachineCodeText machine_code_json(const std::vector<MachineCode>& files,
                                  const std::string& kernel) {
  MachineCodeText out;
  Json cubins = Json::array();
  const MachineCode* last = nullptr;
  for_each_code(files, kernel,
                [&](const MachineCode& file, const sass::Code& code, const auto& listing) {
                  if (&file != last)
                    cubins.push_back({{"file", file.name},
                                      {"architecture", file.cubin.architecture},
                                      {"code", Json::array()}});
                  last = &file;
                  out.complete = out.complete && is_complete(listing);
                  cubins.back()["code"].push_back(code_json(code, listing));
                });
  out.text = config::json_text(cubins, 2) + "\n";
  return out;
}

}  // namespace heddle::report
