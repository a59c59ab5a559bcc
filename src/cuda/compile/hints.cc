#include "cuda/compile/hints.h"

#define TOML_EXCEPTIONS 1
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "base/demangle.h"
#include "ptx/flow/loops.h"
#include "ptx/module.h"

namespace heddle::cuda {

namespace {

constexpr std::int64_t kMaxLine = 1 << 30, kMaxGroup = 1 << 20;

// Reads the file of hints. Every member returns a valid value or throws a UserError with its place.
class HintFile {
 public:
  explicit HintFile(const std::string& path) : path_(path) {
    try {
      top_ = toml::parse_file(path);
    } catch (const toml::parse_error& error) {
      throw UserError(where(error.source()), std::string(error.description()));
    }
  }
  const toml::table& top() const { return top_; }
  SourceLocation where(const toml::source_region& at) const {
    return {path_, static_cast<int>(at.begin.line), static_cast<int>(at.begin.column)};
  }
  SourceLocation where(const toml::node& node) const { return where(node.source()); }

  std::string text(const toml::table& in, const char* key) const {
    const toml::node* node = in.get(key);
    if (!node) return {};
    const auto value = node->value_exact<std::string>();
    if (!value) throw UserError(where(*node), fmt::format("{} must be a text", key));
    return *value;
  }
  std::uint32_t number(const toml::table& in, const char* key, std::int64_t lowest,
                       std::int64_t highest) const {
    const toml::node* node = in.get(key);
    if (!node && lowest == 0) return 0;
    const auto value = node ? node->value_exact<std::int64_t>() : std::nullopt;
    if (!value || *value < lowest || *value > highest)
      throw UserError(where(node ? *node : in),
                      fmt::format("{} must be a whole number from {} to {}", key, lowest, highest));
    return static_cast<std::uint32_t>(*value);
  }
  // Calls use(table) for each table of the list at `key`.
  void for_each_table(const toml::table& in, const char* key, const char* shown,
                      const std::function<void(const toml::table&)>& use) const {
    const toml::node* node = in.get(key);
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list) throw UserError(where(*node), fmt::format("{0} must be a list, [[{0}]]", shown));
    for (const toml::node& one : *list) {
      if (!one.is_table()) throw UserError(where(one), fmt::format("{} must be a table", shown));
      use(*one.as_table());
    }
  }
  void refuse_unknown(const toml::table& in, std::initializer_list<std::string_view> known) const {
    for (const auto& [key, value] : in) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const std::vector<std::string> names(known.begin(), known.end());
      throw UserError(where(key.source()),
                      fmt::format("unknown key '{}'{}", key.str(), did_you_mean(key.str(), names)));
    }
  }

 private:
  std::string path_;
  toml::table top_;
};

LoopHint read_loop(const HintFile& file, const toml::table& in) {
  file.refuse_unknown(in, {"line", "file", "group", "group_with_mapping", "reason"});
  LoopHint loop;
  loop.where = file.where(in);
  loop.line = file.number(in, "line", 1, kMaxLine);
  loop.file = file.text(in, "file");
  loop.group = file.number(in, "group", 0, kMaxGroup);
  loop.group_with_mapping = file.number(in, "group_with_mapping", 0, kMaxGroup);
  return loop;
}

KernelHint read_kernel(const HintFile& file, const toml::table& in) {
  KernelHint kernel;
  kernel.where = file.where(in);
  kernel.name = file.text(in, "name");
  if (kernel.name.empty()) throw UserError(kernel.where, "name is missing");
  kernel.direction = file.text(in, "direction");
  const auto& d = kernel.direction;
  if (!d.empty() && d != "x" && d != "y" && d != "none")
    throw UserError(file.where(*in.get("direction")), "direction must be x, y or none");
  file.for_each_table(in, "loop", "kernel.loop", [&](const toml::table& loop) {
    kernel.loops.push_back(read_loop(file, loop));
  });
  return kernel;
}

// Lowering needs an address for every variable. Nothing runs, so any addresses will do.
ptx::SymbolAddresses arbitrary_addresses(const ptx::Module& module) {
  ptx::SymbolAddresses addresses;
  for (const ptx::Variable& variable : module.variables())
    addresses[variable.name] = Address{0x1000};
  return addresses;
}

bool is_of(const KernelHint& hint, const std::string& kernel) {
  return hint.name == kernel || hint.name == plain_name(kernel) || hint.name == demangle(kernel);
}

bool is_file(const std::string& asked, const std::string& file) {
  namespace fs = std::filesystem;
  return asked.empty() || asked == file || fs::path(asked).filename() == fs::path(file).filename();
}

// The loops that a hint names. An unrolled loop and its remainder have one line: they have the hint
// of this line, or as many hints as loops in the order of the kernel.
std::vector<const ptx::Loop*> loops_of(const KernelHint& all, const LoopHint& hint,
                                       const ptx::Kernel& kernel) {
  std::vector<const ptx::Loop*> found;
  for (const ptx::Loop& loop : kernel.loops)
    if (const ptx::SourceLine& at = ptx::line_of(kernel, loop);
        at.line == hint.line && is_file(hint.file, at.file))
      found.push_back(&loop);
  const auto same = [&](const LoopHint& other) {
    return other.line == hint.line && other.file == hint.file;
  };
  const auto hints = std::count_if(all.loops.begin(), all.loops.end(), same);
  if (hints == 1 || static_cast<std::size_t>(hints) != found.size()) return found;
  const LoopHint* const first = all.loops.data();
  return {found[static_cast<std::size_t>(std::count_if(first, &hint, same))]};
}

std::string lines_of_loops(const ptx::Kernel& kernel) {
  std::string lines;
  for (const ptx::Loop& loop : kernel.loops)
    if (const std::uint32_t line = ptx::line_of(kernel, loop).line; line > 0)
      lines += (lines.empty() ? "" : ", ") + std::to_string(line);
  return lines.empty() ? "no loop of it has a known line" : "its loops are at lines " + lines;
}

// Inserts the texts before the PTX lines, numbered from 1.
std::string with_lines(const std::string& ptx, const std::map<std::uint32_t, std::string>& lines) {
  std::string out;
  std::uint32_t number = 1;
  for (std::size_t at = 0; at < ptx.size(); ++number) {
    if (const auto inserted = lines.find(number); inserted != lines.end()) out += inserted->second;
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size() - 1) + 1;
    out.append(ptx, at, end - at);
    at = end;
  }
  return out;
}

void insert_direction(std::string& ptx, std::size_t entry, const std::string& direction) {
  if (const std::size_t body = ptx.find('{', entry); body != std::string::npos)
    ptx.insert(body, ".pragma \"heddle_cta_direction " + direction + "\";\n");
}

}  // namespace

KernelHints KernelHints::read(const std::string& path) {
  if (!std::filesystem::exists(path)) throw UserError(path + ": no such file");
  const HintFile file(path);
  KernelHints hints;
  file.for_each_table(file.top(), "kernel", "kernel", [&](const toml::table& in) {
    hints.kernels_.push_back(read_kernel(file, in));
  });
  if (hints.kernels_.empty()) throw UserError({path}, "has no [[kernel]]");
  return hints;
}

std::string KernelHints::with_loop_marks(const std::string& ptx, const std::string& name,
                                         bool mapped) {
  const ptx::Module module = ptx::Module::parse(ptx, name);
  std::map<std::uint32_t, std::string> lines;
  for (const std::string& kernel_name : module.kernel_names())
    for (KernelHint& hint : kernels_) {
      if (!is_of(hint, kernel_name)) continue;
      hint.used = true;
      if (hint.loops.empty()) continue;
      const bool is_mapped = mapped && (hint.direction == "x" || hint.direction == "y");
      const ptx::Kernel kernel = module.lower(kernel_name, arbitrary_addresses(module));
      for (LoopHint& loop : hint.loops) {
        const auto found = loops_of(hint, loop, kernel);
        if (found.empty())
          throw UserError(loop.where,
                          fmt::format("kernel '{}' has no loop at line {}; {}",
                                      plain_name(kernel_name), loop.line, lines_of_loops(kernel)));
        const std::uint32_t group = is_mapped ? loop.group_with_mapping : loop.group;
        if (group == 0) continue;
        for (const ptx::Loop* one : found)
          lines.emplace(kernel.code[one->header].ptx_line,
                        fmt::format("\t.pragma \"heddle_ps_loop {}\";\n", group));
      }
    }
  return with_lines(ptx, lines);
}

std::string KernelHints::with_directions(const std::string& ptx, const std::string& name) {
  std::string out = ptx;
  for (const std::string& kernel : ptx::Module::parse(ptx, name).kernel_names())
    for (KernelHint& hint : kernels_) {
      if (!is_of(hint, kernel)) continue;
      hint.used = true;
      const std::size_t entry = out.find(".entry " + kernel + "(");
      if (!hint.direction.empty() && entry != std::string::npos)
        insert_direction(out, entry, hint.direction);
    }
  return out;
}

void KernelHints::check_used() const {
  for (const KernelHint& hint : kernels_)
    if (!hint.used) throw UserError(hint.where, "no source has a kernel '" + hint.name + "'");
}

std::string with_automatic_directions(const std::string& ptx) {
  std::string out = ptx;
  for (std::size_t entry = out.find(".entry "); entry != std::string::npos;
       entry = out.find(".entry ", entry + 1))
    insert_direction(out, entry, "auto");
  return out;
}

}  // namespace heddle::cuda
