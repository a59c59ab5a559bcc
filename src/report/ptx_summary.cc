#include "report/ptx_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/text_table.h"

namespace heddle::report {
namespace {

constexpr int kWidth = 200;

std::string instruction_mix(const lab::KernelSurvey& kernel) {
  const auto& counts = kernel.instructions_by_kind;
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k]) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  std::string text;
  for (const std::size_t k : order)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[k], lab::kInstructionKinds[k]);
  return text;
}

std::string loops_text(const lab::KernelSurvey& kernel) {
  return kernel.deepest_loop > 1 ? fmt::format("{}, {} deep", kernel.loops, kernel.deepest_loop)
                                 : fmt::format("{}", kernel.loops);
}

std::string hints_text(const lab::KernelSurvey& kernel) {
  std::string text;
  if (!kernel.cta_direction.empty())
    text += fmt::format("  {}: CTA direction {}\n", kernel.name, kernel.cta_direction);
  for (const auto& loop : kernel.marked_loops)
    text += fmt::format("  {}: the loop at line {} is marked for groups of {} warps\n", kernel.name,
                        loop.line, loop.group);
  return text;
}

std::string bytes_text(std::uint64_t bytes) { return fmt::format("{} B", bytes); }

}  // namespace

std::string ptx_summary(const lab::PtxSurvey& survey) {
  TextTable table({{"kernel", Align::left},
                   {"registers", Align::right},
                   {"shared", Align::right},
                   {"local", Align::right},
                   {"parameters", Align::right},
                   {"instructions", Align::right},
                   {"loops", Align::right}});
  std::string mixes;
  for (const lab::KernelSurvey& kernel : survey.kernels) {
    table.add_row({kernel.name, fmt::format("{}", kernel.registers),
                   bytes_text(kernel.shared_bytes), bytes_text(kernel.local_bytes),
                   bytes_text(kernel.parameter_bytes), fmt::format("{}", kernel.instructions),
                   loops_text(kernel)});
    mixes += fmt::format("  {}: {}\n", kernel.name, instruction_mix(kernel)) + hints_text(kernel);
  }
  std::string text = survey.name + "\n" +
                     (survey.kernels.empty() ? "no kernels\n" : table.text({}, kWidth) + mixes);
  if (survey.global_bytes + survey.constant_bytes > 0)
    text += fmt::format("variables: {} bytes global, {} bytes constant\n", survey.global_bytes,
                        survey.constant_bytes);
  if (survey.unsupported.empty()) return text + "all of it is supported\n";
  text += fmt::format("not supported ({}):\n", survey.unsupported.size());
  for (const std::string& message : survey.unsupported) text += "  " + message + "\n";
  return text;
}

}  // namespace heddle::report
