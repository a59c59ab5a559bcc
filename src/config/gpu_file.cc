// Reads GPUs from files, with `base` and overrides, and writes them as text.
#include <fmt/format.h>
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <map>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "config/config.h"
#include "config/gpgpusim_options.h"
#include "config/parameter.h"
#include "config/preset_folder.h"

namespace heddle::config {
namespace {

namespace fs = std::filesystem;
constexpr int kMaxBases = 8;
constexpr std::string_view kTitle = "title", kBase = "base", kName = "name";

SourceLocation location_of(const std::string& file, const toml::source_region& region) {
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// Where a parameter got its value, and in which order: a contradiction is reported at the last one.
struct Origin {
  SourceLocation where;
  int order = 0;
};

class Loader {
 public:
  Loader() : parameters_(parameters(gpu_)) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) index_[parameters_[i].key] = i;
  }

  void read_file(const std::string& path, int depth = 0) {
    if (depth > kMaxBases) throw UserError({path}, "the base files form a cycle");
    const toml::table table = parse(path);
    if (const auto* base = table.get(kBase)) {
      const auto name = base->value<std::string>();
      if (!name)
        throw UserError(location_of(path, base->source()),
                        "base must be the name of a GPU or of a file");
      read_file(base_path(*name, path, base->source()), depth + 1);
    }
    read_table(table, "", path);
    if (!table.contains(kBase)) require_complete(path);
  }

  void override_with(const std::string& text) {
    const SourceLocation where{"--set " + text, 0, 0};
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UserError(where, "must read KEY=VALUE, such as sm.l1d.size=32KiB");
    const auto end = text.find_last_not_of(' ', equals - 1);
    set(text.substr(0, end + 1), text.substr(equals + 1), where);
  }

  GpuSpec finish(std::string name) {
    for (const Contradiction& wrong : contradictions(gpu_)) {
      const Origin* last = nullptr;
      for (const std::string& key : wrong.keys)
        if (const auto found = origins_.find(key);
            found != origins_.end() && (!last || found->second.order > last->order))
          last = &found->second;
      // Of several keys in the file of the last one, the problem begins with the first.
      for (const std::string& key : wrong.keys)
        if (const auto found = origins_.find(key);
            last && found != origins_.end() && found->second.where.file == last->where.file) {
          last = &found->second;
          break;
        }
      throw UserError(last ? last->where : SourceLocation{name}, wrong.problem);
    }
    gpu_.name = std::move(name);
    return gpu_;
  }

 private:
  static toml::table parse(const std::string& path) {
    try {
      return toml::parse_file(path);
    } catch (const toml::parse_error& error) {
      if (gpgpu_sim_file(path) != GpgpuSimFile::other)
        throw UserError(SourceLocation{path},
                        "this is a file of GPGPU-Sim; 'heddle gpu import gpgpusim.config' makes a "
                        "GPU file (docs/describe-a-gpu.md#import-a-gpu-of-gpgpu-sim)");
      throw UserError(location_of(path, error.source()), std::string(error.description()));
    }
  }

  static std::string base_path(const std::string& name, const std::string& from,
                               const toml::source_region& region) {
    const fs::path neighbour = fs::path(from).parent_path() / name;
    if (name.ends_with(".toml") && fs::exists(neighbour)) return neighbour.string();
    const auto preset = preset_path(name);
    if (preset.empty())
      throw UserError(location_of(from, region), fmt::format("there is no GPU '{}'{}", name,
                                                             did_you_mean(name, preset_names())));
    return preset;
  }

  void read_table(const toml::table& table, const std::string& prefix, const std::string& path) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (prefix.empty() && (name == kTitle || name == kBase || name == kName)) continue;
      if (const auto* inner = node.as_table())
        read_table(*inner, prefix + name + ".", path);
      else
        set(prefix + name, text_of(node, path), location_of(path, node.source()));
    }
  }

  static std::string text_of(const toml::node& node, const std::string& path) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
    const auto* array = node.as_array();
    if (!array) throw UserError(location_of(path, node.source()), "a date is not a valid value");
    std::vector<std::string> items;
    for (const auto& item : *array) {
      if (item.is_array() || item.is_table())
        throw UserError(location_of(path, item.source()), "a list must contain plain values");
      items.push_back(text_of(item, path));
    }
    return fmt::format("{}", fmt::join(items, ","));
  }

  void set(const std::string& key, const std::string& value, const SourceLocation& where) {
    const auto found = index_.find(key);
    if (found == index_.end())
      throw UserError(where, fmt::format("there is no parameter '{}'{} (heddle list parameters)",
                                         key, nearest(key)));
    if (const std::string problem = parameters_[found->second].assign(value); !problem.empty())
      throw UserError(where, problem);
    origins_[key] = {where, ++order_};
  }

  // Keys that are spelled alike, or else those that have the word in their name or meaning.
  std::string nearest(const std::string& key) const {
    constexpr std::size_t kMost = 3;
    const auto lower = [](std::string text) {
      std::transform(text.begin(), text.end(), text.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      return text;
    };
    std::vector<std::string> keys, related;
    for (const GpuParameter& parameter : parameters_) {
      keys.push_back(parameter.key);
      if (lower(parameter.key + " " + parameter.meaning).find(lower(key)) != std::string::npos &&
          related.size() < kMost)
        related.push_back(parameter.key);
    }
    const std::string alike = did_you_mean(key, keys);
    if (!alike.empty() || related.empty()) return alike;
    return fmt::format("; see {}", fmt::join(related, ", "));
  }

  void require_complete(const std::string& path) const {
    std::vector<std::string> missing;
    // Energy may be missing: it changes no other statistic, and the defaults are those of a 40 nm
    // chip.
    for (const GpuParameter& parameter : parameters_)
      if (!origins_.contains(parameter.key) && !parameter.key.starts_with("energy.") &&
          parameter.earlier.empty())
        missing.push_back(parameter.key);
    if (missing.empty()) return;
    const std::size_t shown = std::min<std::size_t>(missing.size(), 3);
    throw UserError(
        {path},
        fmt::format(
            "{} parameters are missing ({}{}); start from a complete GPU with base = \"gtx480\"",
            missing.size(),
            fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
            missing.size() > shown ? ", ..." : ""));
  }

  GpuSpec gpu_;
  std::vector<GpuParameter> parameters_;  // bound to gpu_
  std::map<std::string, std::size_t> index_;
  std::map<std::string, Origin> origins_;
  int order_ = 0;
};

std::string find_gpu(const std::string& name_or_path) {
  if (const std::string preset = preset_path(name_or_path); !preset.empty()) return preset;
  std::error_code ignored;
  if (fs::is_regular_file(name_or_path, ignored)) return name_or_path;
  const auto names = preset_names();
  if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml"))
    throw UserError("GPU file '" + name_or_path + "' does not exist");
  throw UserError(
      fmt::format("there is no GPU '{}'{} (known: {}; or give the path of a .toml file)",
                  name_or_path, did_you_mean(name_or_path, names), fmt::join(names, ", ")));
}

std::string section_of(const std::string& key) {
  const auto dot = key.rfind('.');
  return dot == std::string::npos ? std::string{} : key.substr(0, dot);
}

// The parameters that `keep` accepts, as TOML.
std::string values_as_toml(const GpuSpec& gpu,
                           const std::function<bool(const GpuParameter&)>& keep) {
  GpuSpec copy = gpu;
  std::string text, section;
  for (const GpuParameter& parameter : parameters(copy)) {
    if (!keep(parameter)) continue;
    if (const std::string here = section_of(parameter.key); here != section) {
      text += fmt::format("\n[{}]\n", here);
      section = here;
    }
    text += fmt::format("{} = {}\n", parameter.key.substr(section.empty() ? 0 : section.size() + 1),
                        parameter.toml());
  }
  return text;
}

}  // namespace

GpuSpec load_gpu(const std::string& name_or_path, const std::vector<std::string>& overrides) {
  const std::string path = find_gpu(name_or_path);
  Loader loader;
  loader.read_file(path);
  for (const std::string& text : overrides) loader.override_with(text);
  return loader.finish(fs::path(path).stem().string());
}

std::string preset_title(const std::string& name) {
  const toml::table table = toml::parse_file(find_gpu(name));
  return table[kTitle].value_or(std::string{});
}

std::vector<GpuParameterInfo> list_parameters(const GpuSpec& values) {
  GpuSpec copy = values;
  std::vector<GpuParameterInfo> list;
  for (const GpuParameter& p : parameters(copy))
    list.push_back({p.key, p.unit, p.range(), p.text(), p.meaning, p.source});
  return list;
}

std::string to_toml(const GpuSpec& gpu) {
  return fmt::format("name = \"{}\"\n{}", gpu.name,
                     values_as_toml(gpu, [](const GpuParameter&) { return true; }));
}

std::string to_toml(const GpuSpec& gpu, const std::string& base) {
  GpuSpec start = load_gpu(base);
  std::map<std::string, std::string> texts;
  for (const GpuParameter& parameter : parameters(start)) texts[parameter.key] = parameter.text();
  return fmt::format("base = \"{}\"\n{}", base,
                     values_as_toml(gpu, [&](const GpuParameter& parameter) {
                       return parameter.text() != texts[parameter.key];
                     }));
}

// Of the values. The name is not included, so equal machines have equal hashes.
std::string hash(const GpuSpec& gpu) {
  return fmt::format("{:016x}", fnv64(values_as_toml(gpu, [](const GpuParameter& parameter) {
                       return parameter.text() != parameter.earlier;
                     })));
}

}  // namespace heddle::config
