#include "cuda/kernels/description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "cuda/kernels/description_table.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileInFolder = "kernel.toml";
constexpr std::uint64_t kMostShared = std::uint64_t{1} << 30, kMostSize = std::uint64_t{1} << 48;
constexpr std::size_t kMostParameterBytes = 32764;  // of CUDA 12.1 and later

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {
    try {
      top_ = toml::parse_file(file_);
    } catch (const toml::parse_error& error) {
      const auto& at = error.source().begin;
      throw UserError({file_, static_cast<int>(at.line), static_cast<int>(at.column)},
                      std::string(error.description()));
    }
    made_.files.push_back(file_);
  }
  KernelDescription read();

 private:
  std::string path_of(const std::string& name) const {
    return (fs::path(file_).parent_path() / name).lexically_normal().string();
  }
  std::string names_of_buffers() const;
  std::size_t module_at(const std::string& path, const DescriptionTable& in, const toml::node& at);
  void read_buffer(const std::string& name, const toml::node& node);
  Content content_of_file(const DescriptionTable& in, const toml::node& at, KernelBuffer& buffer,
                          bool defines);
  Content made_content(const DescriptionTable& in, const KernelBuffer& buffer) const;
  void read_expected(const DescriptionTable& in, KernelBuffer& buffer);
  void read_launch(const toml::node& node);
  void read_triton(const DescriptionTable& in, KernelLaunch& launch);
  void read_arguments(const DescriptionTable& in, KernelLaunch& launch) const;
  KernelArgument argument(const DescriptionTable& in, const toml::node& node,
                          const KernelLaunch& launch) const;
  std::string scalar(const DescriptionTable& in, const toml::node& node, ElementType type) const;
  KernelArgument argument_of_table(const toml::table& table) const;
  std::size_t buffer_named(const DescriptionTable& in, const toml::node& node) const;

  std::string file_;
  toml::table top_;
  KernelDescription made_;
};

KernelDescription Reader::read() {
  const DescriptionTable top(file_, top_, {"module", "buffers", "launches"});
  if (const toml::node* buffers = top.find("buffers")) {
    if (!buffers->is_table()) top.refuse(*buffers, "buffers must be tables, [buffers.NAME]");
    for (const auto& [name, node] : *buffers->as_table())
      read_buffer(std::string(name.str()), node);
  }
  const toml::node* launches = top.find("launches");
  if (!launches) top.refuse("there are no launches: add [[launches]]");
  const toml::array* list = launches->as_array();
  if (!list || list->empty()) top.refuse(*launches, "launches must be given as [[launches]]");
  for (const toml::node& one : *list) read_launch(one);
  return std::move(made_);
}

std::string Reader::names_of_buffers() const {
  std::vector<std::string> names;
  for (const KernelBuffer& buffer : made_.buffers) names.push_back(buffer.name);
  return names.empty() ? "there are no buffers"
                       : fmt::format("buffers: {}", fmt::join(names, ", "));
}

std::size_t Reader::module_at(const std::string& path, const DescriptionTable& in,
                              const toml::node& at) {
  for (std::size_t i = 0; i < made_.modules.size(); ++i)
    if (made_.modules[i].path == path) return i;
  KernelModule module;
  module.path = path;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) in.refuse(at, "there is no module " + path);
  if (is_triton_cache(path)) {
    module.triton = read_triton_cache(path);
    for (const std::string& file : {module.triton->ptx, module.triton->cubin})
      if (!file.empty()) made_.files.push_back(file);
  } else if (!fs::is_regular_file(path, ignored)) {
    in.refuse(at, path + " is no module: neither a file of code nor a folder of Triton's cache");
  } else {
    made_.files.push_back(path);
  }
  made_.modules.push_back(std::move(module));
  return made_.modules.size() - 1;
}

void Reader::read_buffer(const std::string& name, const toml::node& node) {
  if (!node.is_table())
    throw UserError({file_, static_cast<int>(node.source().begin.line), 0},
                    fmt::format("{} must be a table, [buffers.{}]", name, name));
  const DescriptionTable in(file_, *node.as_table(),
                            {"file", "type", "shape", "fill", "start", "step", "low", "high",
                             "seed", "expected", "rtol", "atol", "save"});
  KernelBuffer buffer;
  buffer.name = name;
  const std::string type = in.text("type");
  if (!type.empty()) {
    const auto known = element_type_named(type);
    if (!known)
      in.refuse(*in.find("type"), fmt::format("there is no type {}; types: {}", type,
                                              fmt::join(element_type_names(), ", ")));
    buffer.type = *known;
  }
  if (const toml::node* file = in.find("file")) {
    for (const char* key : {"shape", "fill", "start", "step", "low", "high", "seed"})
      if (in.find(key))
        in.refuse(*in.find(key), fmt::format("the file gives the elements: omit {}", key));
    buffer.content = content_of_file(in, *file, buffer, type.empty());
  } else {
    const auto shape = in.sizes("shape", Shape::kMostDimensions, kMostSize);
    if (type.empty() || !shape) in.refuse("a buffer needs a file, or type and shape");
    buffer.shape.extents = *shape;
    if (!buffer.shape.product())
      in.refuse(*in.find("shape"), "this is larger than the memory of any GPU");
    buffer.content = made_content(in, buffer);
  }
  read_expected(in, buffer);
  if (const std::string save = in.text("save"); !save.empty()) {
    // A stranger's description writes nowhere else, also not through a link.
    const fs::path path = fs::weakly_canonical(fs::absolute(path_of(save)));
    const fs::path below =
        path.lexically_relative(fs::weakly_canonical(fs::absolute(path_of("."))));
    if (below.empty() || *below.begin() == ".." || path.extension() != ".npy")
      in.refuse(*in.find("save"), "save must be a .npy file below the description's folder");
    buffer.save = path_of(save);
  }
  made_.buffers.push_back(std::move(buffer));
}

// defines: the file gives the type, which is the buffer's otherwise. A buffer of bf16 may come from
// a file of any two bytes.
Content Reader::content_of_file(const DescriptionTable& in, const toml::node& at,
                                KernelBuffer& buffer, bool defines) {
  const auto name = at.value_exact<std::string>();
  if (!name || name->empty()) in.refuse(at, "must be the name of a .npy file");
  Content content;
  content.kind = Content::Kind::file;
  content.file = path_of(*name);
  const NpyHeader header = read_npy_header(content.file);
  content.data_offset = header.data_offset;
  if (defines) buffer.type = header.type;
  const bool same = header.type == buffer.type ||
                    (buffer.type == ElementType::bf16 && header.type == ElementType::u16);
  if (!same)
    in.refuse(at, fmt::format("{} has elements of {}, the buffer of {}", content.file,
                              info_of(header.type).name, info_of(buffer.type).name));
  if (&at == in.find("file")) buffer.shape = header.shape;
  if (header.shape != buffer.shape)
    in.refuse(at, fmt::format("{} has shape {}, the buffer {}{}", content.file, header.shape.text(),
                              buffer.shape.text(),
                              header.shape.extents == buffer.shape.extents
                                  ? ", and one of them is stored column by column"
                                  : ""));
  made_.files.push_back(content.file);
  return content;
}

Content Reader::made_content(const DescriptionTable& in, const KernelBuffer& buffer) const {
  Content content;
  const toml::node* fill = in.find("fill");
  const std::string kind = fill ? fill->value_or(std::string()) : "zeros";
  const auto refuse_others = [&](std::initializer_list<std::string_view> keys) {
    for (const char* key : {"start", "step", "low", "high", "seed"})
      if (in.find(key) && std::find(keys.begin(), keys.end(), key) == keys.end())
        in.refuse(*in.find(key), fmt::format("this fill has no {}", key));
  };
  const bool real = info_of(buffer.type).real;
  if (fill && number_of(*fill)) {
    refuse_others({});
    content.first = *number_of(*fill);
  } else if (kind == "zeros") {
    refuse_others({});
  } else if (kind == "arange") {
    refuse_others({"start", "step"});
    content.kind = Content::Kind::arange;
    content.first = in.number("start").value_or(0);
    content.second = in.number("step").value_or(1);
  } else if (kind == "random") {
    refuse_others({"low", "high", "seed"});
    content.kind = Content::Kind::random;
    content.first = in.number("low").value_or(0);
    content.second = in.number("high").value_or(real ? 1 : 2);
    content.seed = in.count("seed", 0, std::numeric_limits<std::int64_t>::max());
    if (!(content.first < content.second) || !std::isfinite(content.second - content.first))
      in.refuse("low must be below high");
  } else {
    in.refuse(*fill, "fill must be \"zeros\", \"arange\", \"random\" or a number");
  }
  const std::uint64_t elements = buffer.shape.elements();
  const long double last =
      content.kind == Content::Kind::arange && elements > 0
          ? content.first + content.second * static_cast<long double>(elements - 1)
      : content.kind == Content::Kind::random && !real ? content.second - 1
                                                       : content.first;
  const long double next =
      content.kind == Content::Kind::constant ? content.first : content.first + content.second;
  if (!holds(buffer.type, content.first) || !holds(buffer.type, last) ||
      (content.kind == Content::Kind::arange && elements > 1 && !holds(buffer.type, next)))
    in.refuse(
        fill ? *fill : static_cast<const toml::node&>(in.table()),
        fmt::format("{} does not hold every element of this fill", info_of(buffer.type).name));
  return content;
}

void Reader::read_expected(const DescriptionTable& in, KernelBuffer& buffer) {
  const toml::node* node = in.find("expected");
  if (!node) {
    for (const char* key : {"rtol", "atol"})
      if (in.find(key)) in.refuse(*in.find(key), fmt::format("{} needs expected", key));
    return;
  }
  ExpectedContent expected;
  if (const toml::table* table = node->as_table())
    expected.content = made_content(
        DescriptionTable(file_, *table, {"fill", "start", "step", "low", "high", "seed"}), buffer);
  else
    expected.content = content_of_file(in, *node, buffer, false);
  expected.rtol = static_cast<double>(in.number("rtol").value_or(info_of(buffer.type).closest));
  expected.atol = static_cast<double>(in.number("atol").value_or(0));
  for (const auto& [key, value] : {std::pair{"rtol", expected.rtol}, {"atol", expected.atol}})
    if (!(value >= 0)) in.refuse(*in.find(key), fmt::format("{} must not be negative", key));
  buffer.expected = expected;
}

void Reader::read_launch(const toml::node& node) {
  if (!node.is_table())
    throw UserError({file_, static_cast<int>(node.source().begin.line), 0},
                    "launches must be given as [[launches]]");
  const DescriptionTable in(
      file_, *node.as_table(),
      {"module", "kernel", "grid", "block", "cluster", "shared", "cooperative", "arguments"});
  KernelLaunch launch;
  launch.where = in.where();
  const toml::node* module = in.find("module") ? in.find("module") : top_.get("module");
  if (module) {
    const auto name = module->value_exact<std::string>();
    if (!name || name->empty()) in.refuse(*module, "module must be a text");
    launch.module = module_at(path_of(*name), in, *module);
  } else {
    // The description stands in Triton's cache.
    const std::string folder = path_of(".");
    if (!is_triton_cache(folder)) in.refuse("module is missing: the file with the kernel's code");
    launch.module = module_at(folder, in, in.table());
  }
  launch.cluster = in.dim3("cluster");
  launch.kernel = in.text("kernel");
  launch.cooperative = in.flag("cooperative");
  launch.shared_bytes = static_cast<std::uint32_t>(in.count("shared", 0, kMostShared));
  const auto grid = in.dim3("grid"), block = in.dim3("block");
  if (!grid) in.refuse("grid is missing");
  launch.grid = *grid;
  if (block) launch.block = *block;
  if (made_.modules[launch.module].triton)
    read_triton(in, launch);
  else if (!block)
    in.refuse("block is missing");
  read_arguments(in, launch);
  made_.launches.push_back(std::move(launch));
}

// Triton's JSON says how its kernel is launched.
void Reader::read_triton(const DescriptionTable& in, KernelLaunch& launch) {
  const TritonKernel& kernel = *made_.modules[launch.module].triton;
  if (in.find("shared") && launch.shared_bytes != kernel.shared_bytes)
    in.refuse(*in.find("shared"),
              fmt::format("Triton's JSON says {} bytes: omit shared", kernel.shared_bytes));
  if (in.find("block") && launch.block != Dim3{kernel.threads, 1, 1})
    in.refuse(*in.find("block"),
              fmt::format("Triton's JSON says {} threads: omit block", kernel.threads));
  if (launch.kernel.empty()) launch.kernel = kernel.name;
  launch.block = {kernel.threads, 1, 1};
  launch.shared_bytes = kernel.shared_bytes;
  launch.cooperative |= kernel.cooperative;
}

void Reader::read_arguments(const DescriptionTable& in, KernelLaunch& launch) const {
  const toml::node* node = in.find("arguments");
  if (!node) return;
  const toml::array* list = node->as_array();
  if (!list) in.refuse(*node, "arguments must be a list");
  std::size_t bytes = 0;
  for (const toml::node& one : *list) {
    launch.arguments.push_back(argument(in, one, launch));
    bytes += std::max(launch.arguments.back().value.size(), std::size_t{1});
    if (bytes > kMostParameterBytes)
      in.refuse(one, fmt::format("arguments have more than {} bytes", kMostParameterBytes));
  }
}

// A text is a buffer, a number a scalar of the type that Triton's signature gives it.
KernelArgument Reader::argument(const DescriptionTable& in, const toml::node& node,
                                const KernelLaunch& launch) const {
  KernelArgument made;
  made.where = in.where(node);
  if (node.is_string()) {
    made.buffer = buffer_named(in, node);
    return made;
  }
  if (node.is_table()) {
    made = argument_of_table(*node.as_table());
    made.where = in.where(node);
    return made;
  }
  const auto& triton = made_.modules[launch.module].triton;
  const std::size_t index = launch.arguments.size();
  if (!triton || index >= triton->signature.size() || !triton->signature[index])
    in.refuse(node, "an argument is the name of a buffer, or a value with its type, as {i32 = 8}");
  made.value = scalar(in, node, *triton->signature[index]);
  return made;
}

std::string Reader::scalar(const DescriptionTable& in, const toml::node& node,
                           ElementType type) const {
  const auto flag = node.value_exact<bool>();
  const auto value = flag ? std::optional<long double>(*flag ? 1 : 0) : number_of(node);
  if (!value || !holds(type, *value))
    in.refuse(node, fmt::format("this is no value of {}", info_of(type).name));
  std::string bytes(info_of(type).bytes, '\0');
  write_element(type, bytes.data(), *value);
  return bytes;
}

// {i32 = 8}, {buffer = "x", offset = 64} or {bytes = [1, 2, 3, 4]}, for a structure.
KernelArgument Reader::argument_of_table(const toml::table& table) const {
  KernelArgument made;
  if (table.contains("buffer")) {
    const DescriptionTable in(file_, table, {"buffer", "offset"});
    made.buffer = buffer_named(in, *in.find("buffer"));
    made.offset = in.count("offset", 0, made_.buffers[*made.buffer].bytes());
    return made;
  }
  if (table.contains("bytes")) {
    const DescriptionTable in(file_, table, {"bytes"});
    const auto bytes = in.sizes("bytes", kMostParameterBytes, 255);
    for (const std::uint64_t byte : *bytes) made.value += static_cast<char>(byte);
    if (made.value.empty()) in.refuse("bytes must not be empty");
    return made;
  }
  const DescriptionTable in(file_, table,
                            {"buffer", "bytes", "bool", "i8", "i16", "i32", "i64", "u8", "u16",
                             "u32", "u64", "f16", "bf16", "f32", "f64"});
  if (table.size() != 1) in.refuse("an argument has one value with its type, as {i32 = 8}");
  for (const auto& [key, value] : table)
    made.value = scalar(in, value, *element_type_named(key.str()));
  return made;
}

std::size_t Reader::buffer_named(const DescriptionTable& in, const toml::node& node) const {
  const std::string name = node.value_or(std::string());
  for (std::size_t i = 0; i < made_.buffers.size(); ++i)
    if (made_.buffers[i].name == name) return i;
  in.refuse(node, fmt::format("there is no buffer '{}'; {}", name, names_of_buffers()));
}

}  // namespace

bool is_kernel_description(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return fs::is_regular_file(fs::path(path) / kFileInFolder, ignored) || is_triton_cache(path);
  return path.ends_with(".toml") && fs::is_regular_file(path, ignored);
}

KernelDescription read_kernel_description(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return Reader(path).read();
  const std::string file = (fs::path(path) / kFileInFolder).lexically_normal().string();
  if (fs::is_regular_file(file, ignored)) return Reader(file).read();
  const TritonKernel kernel = read_triton_cache(path);
  throw UserError(fmt::format(
      "{}: Triton's cache has the code of kernel {}, but neither a grid nor arguments: write them "
      "into {} (docs/run-a-kernel.md#triton)",
      path, kernel.name, file));
}

}  // namespace heddle::cuda
