#include "cuda/kernels/triton_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/input_file.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uintmax_t kMostJsonBytes = std::uintmax_t{16} << 20;
constexpr std::uint64_t kMostWarps = 32, kMostBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMostArguments = 4096;
constexpr std::uint32_t kWarpThreads = 32;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool has_code(const fs::path& json_file) {
  return is_file(fs::path(json_file).replace_extension(".ptx")) ||
         is_file(fs::path(json_file).replace_extension(".cubin"));
}

// The JSON of kernels; Triton also writes __grp__NAME.json, a list of files.
std::vector<fs::path> json_files(const std::string& path) {
  if (path.ends_with(".json")) return {path};
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator entry(path, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (entry->path().extension() == ".json" && has_code(entry->path()))
      found.push_back(entry->path());
  std::sort(found.begin(), found.end());
  return found;
}

class Metadata {
 public:
  Metadata(const std::string& text, const std::string& path) : path_(path) {
    content_ = json::parse(text, nullptr, false);
    if (!content_.is_object()) throw UserError({path}, "this is no JSON of Triton's cache");
  }

  std::uint64_t number(const char* key, std::uint64_t otherwise, std::uint64_t most) const {
    const auto found = content_.find(key);
    if (found == content_.end() || found->is_null()) return otherwise;
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > most)
      throw UserError({path_}, fmt::format("{} must be a whole number from 0 to {}", key, most));
    return found->get<std::uint64_t>();
  }
  std::string name() const {
    const auto found = content_.find("name");
    if (found != content_.end() && found->is_string()) return found->get<std::string>();
    return fs::path(path_).stem().string();
  }
  bool cooperative() const {
    const auto found = content_.find("launch_cooperative_grid");
    return found != content_.end() && found->is_boolean() && found->get<bool>();
  }
  void refuse_clusters() const {
    bool single = number("num_ctas", 1, kMostArguments) <= 1;
    if (const auto sizes = content_.find("cluster_dims"); sizes != content_.end())
      for (const json& size : *sizes)
        single = single && size.is_number() && size.get<double>() <= 1;
    if (!single)
      throw UserError({path_}, "the kernel needs thread block clusters, which are not supported");
  }
  // {"0": "*fp32", "1": "i32"}, or with the names of the arguments in their order.
  std::vector<std::optional<ElementType>> signature() const {
    std::vector<std::optional<ElementType>> types;
    const auto found = content_.find("signature");
    if (found == content_.end() || !found->is_object() || found->size() > kMostArguments)
      return types;
    std::map<std::size_t, std::string> ordered;
    for (const auto& [key, value] : found->items()) {
      const bool index =
          !key.empty() && key.size() < 5 &&
          std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
      // JSON objects are read in the order of their names, which says nothing of arguments.
      if (!index || !value.is_string()) return {};
      ordered[std::stoul(key)] = value.get<std::string>();
    }
    for (const auto& [index, type] : ordered) {
      if (type == "constexpr") continue;
      types.push_back(type.starts_with('*') ? std::nullopt : scalar(type));
    }
    return types;
  }

 private:
  std::optional<ElementType> scalar(std::string type) const {
    if (type.starts_with("fp")) type.erase(1, 1);
    if (type == "i1" || type == "u1") type = "bool";
    const auto known = element_type_named(type);
    if (!known)
      throw UserError({path_}, fmt::format("its signature has the unknown type '{:.40}'", type));
    return known;
  }

  const std::string& path_;
  json content_;
};

}  // namespace

bool is_triton_cache(const std::string& path) {
  std::error_code ignored;
  return path.ends_with(".json") || (fs::is_directory(path, ignored) && !json_files(path).empty());
}

TritonKernel parse_triton_json(const std::string& text, const std::string& file) {
  const Metadata metadata(text, file);
  metadata.refuse_clusters();
  TritonKernel kernel;
  kernel.name = metadata.name();
  kernel.threads =
      static_cast<std::uint32_t>(metadata.number("num_warps", 4, kMostWarps)) * kWarpThreads;
  kernel.shared_bytes = static_cast<std::uint32_t>(metadata.number("shared", 0, kMostBytes));
  kernel.global_scratch = metadata.number("global_scratch_size", 0, kMostBytes);
  kernel.profile_scratch = metadata.number("profile_scratch_size", 0, kMostBytes);
  kernel.cooperative = metadata.cooperative();
  kernel.signature = metadata.signature();
  return kernel;
}

TritonKernel read_triton_cache(const std::string& path) {
  const std::vector<fs::path> files = json_files(path);
  if (files.empty())
    throw UserError(path + " has no kernel of Triton: a .json beside a .ptx or .cubin");
  if (files.size() > 1) {
    std::vector<std::string> names;
    for (const fs::path& file : files) names.push_back(file.filename().string());
    throw UserError(
        fmt::format("{} has several kernels: give one of {}", path, fmt::join(names, ", ")));
  }
  const std::string file = files[0].string();
  std::error_code error;
  if (fs::file_size(file, error) > kMostJsonBytes || error)
    throw UserError({file}, "it is larger than the JSON of a kernel");
  TritonKernel kernel = parse_triton_json(read_file(file), file);
  for (std::string* code : {&kernel.ptx, &kernel.cubin}) {
    const fs::path place =
        fs::path(file).replace_extension(code == &kernel.ptx ? ".ptx" : ".cubin");
    if (is_file(place)) *code = place.string();
  }
  if (kernel.ptx.empty() && kernel.cubin.empty())
    throw UserError({file}, "there is neither a .ptx nor a .cubin beside it");
  return kernel;
}

}  // namespace heddle::cuda
