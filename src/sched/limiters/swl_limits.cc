#include "sched/limiters/swl_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "sched/framework/kernel_file.h"

namespace heddle::sched {
namespace {

constexpr const char* kLimitsKind = "static limits";
constexpr std::int64_t kLimitsVersion = 2, kMaxLaunches = std::int64_t{1} << 62;

Dim3 read_grid(const KernelFile& file, const toml::table& in) {
  const toml::node* node = in.get("grid");
  const toml::array* array = node ? node->as_array() : nullptr;
  if (!array || array->size() != 3)
    throw UserError(file.where(node ? *node : in), "grid must be a list of three whole numbers");
  std::uint32_t sizes[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = (*array)[i].value_exact<std::int64_t>();
    if (!value || *value < 1 || *value > 0x7fffffff)
      throw UserError(file.where((*array)[i]),
                      "grid must be a list of three whole numbers of at least 1");
    sizes[i] = static_cast<std::uint32_t>(*value);
  }
  return {sizes[0], sizes[1], sizes[2]};
}

LimitCycles read_cycles(const KernelFile& file, const toml::table& in) {
  LimitCycles cycles;
  for (const toml::node& one : file.tables(in, "cycles")) {
    const toml::array* pair = one.as_array();
    const auto limit =
        pair && pair->size() == 2 ? (*pair)[0].value_exact<std::int64_t>() : std::nullopt;
    const auto count =
        pair && pair->size() == 2 ? (*pair)[1].value_exact<std::int64_t>() : std::nullopt;
    if (!limit || !count || *limit < 1 || *limit > kMaxWarpsPerSm || *count < 0)
      throw UserError(file.where(one), "cycles must hold pairs [limit, cycles]");
    cycles.emplace_back(static_cast<std::uint32_t>(*limit), static_cast<std::uint64_t>(*count));
  }
  return cycles;
}

std::string list_of(const LimitCycles& cycles) {
  std::string text;
  for (const auto& [limit, count] : cycles)
    text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", limit, count);
  return '[' + text + ']';
}

std::uint64_t fewest_cycles(const KernelLimit& kernel) {
  std::uint64_t fewest = ~std::uint64_t{0};
  for (const auto& [limit, cycles] : kernel.cycles) fewest = std::min(fewest, cycles);
  return kernel.cycles.empty() ? 0 : fewest;
}

}  // namespace

std::string StaticLimits::to_toml() const {
  std::string out = fmt::format(
      "# The best static limit of the program, for swl:best=FILE, and of each kernel, for\n"
      "# swl:best_per_kernel=FILE. Written by heddle best-swl.\n"
      "# cycles: [limit, core cycles of all launches].\n"
      "kind = {}\nversion = {}\nprogram = {}\narguments = {}\ngpu = {}\n"
      "warps = {}\ncycles = {}\n",
      quoted(kLimitsKind), kLimitsVersion, quoted(program), quoted(arguments), quoted(gpu), warps,
      list_of(cycles));
  for (const KernelLimit& kernel : kernels)
    out += fmt::format(
        "\n[[kernel]]  # {}\nname = {}\ngrid = [{}, {}, {}]\nlaunches = {}\nwarps = {}\n"
        "cycles = {}\n",
        plain_name(kernel.name), quoted(kernel.name), kernel.grid.x, kernel.grid.y, kernel.grid.z,
        kernel.launches, kernel.warps, list_of(kernel.cycles));
  return out;
}

StaticLimits StaticLimits::read(const std::string& path) {
  const KernelFile file(path, kLimitsKind, kLimitsVersion, "best-swl");
  StaticLimits limits;
  limits.path = path;
  limits.program = file.text(file.top(), "program");
  limits.arguments = file.text(file.top(), "arguments");
  limits.gpu = file.text(file.top(), "gpu");
  limits.warps = static_cast<std::uint32_t>(file.integer(file.top(), "warps", 1, kMaxWarpsPerSm));
  limits.cycles = read_cycles(file, file.top());
  for (const toml::node& one : file.tables(file.top(), "kernel")) {
    const toml::table& t = file.table(one);
    KernelLimit kernel;
    kernel.name = file.text(t, "name");
    kernel.grid = read_grid(file, t);
    kernel.launches = static_cast<std::uint64_t>(file.integer(t, "launches", 1, kMaxLaunches));
    kernel.warps = static_cast<std::uint32_t>(file.integer(t, "warps", 1, kMaxWarpsPerSm));
    kernel.cycles = read_cycles(file, t);
    limits.kernels.push_back(std::move(kernel));
  }
  return limits;
}

std::uint32_t StaticLimits::limit_of(const std::string& kernel, const Dim3& grid) const {
  const KernelLimit* longest = nullptr;
  for (const KernelLimit& k : kernels) {
    if (k.name != kernel) continue;
    if (k.grid == grid) return k.warps;
    if (!longest || fewest_cycles(k) > fewest_cycles(*longest)) longest = &k;
  }
  if (!longest)
    throw UserError({path}, "has no limit for kernel " + plain_name(kernel) +
                                "; search with a run that launches it (heddle best-swl)");
  return longest->warps;
}

}  // namespace heddle::sched
