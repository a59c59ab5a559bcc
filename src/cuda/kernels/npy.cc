#include "cuda/kernels/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/checked.h"
#include "base/diagnostics.h"
#include "base/output_file.h"

namespace heddle::cuda {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeaderBytes = 65536, kAlignment = 64;
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48;

// The header is a literal of a Python dictionary: {'descr': '<f4', 'fortran_order': False,
// 'shape': (3, 4), }.
class Dictionary {
 public:
  Dictionary(const std::string& path, std::string_view text) : path_(path), rest_(text) {}

  NpyHeader read() {
    NpyHeader header;
    bool type = false, order = false, shape = false;
    skip('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      skip(':');
      if (key == "descr" && !type) {
        header.type = element_type();
        type = true;
      } else if (key == "fortran_order" && !order) {
        header.shape.column_major = truth();
        order = true;
      } else if (key == "shape" && !shape) {
        header.shape.extents = extents();
        shape = true;
      } else {
        refuse("its header has an unexpected key");
      }
      if (!accept(',') && !next_is('}')) refuse("its header is no dictionary");
    }
    if (!type || !order || !shape) refuse("its header lacks descr, fortran_order or shape");
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw UserError({path_}, why); }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
  }
  bool next_is(char wanted) {
    skip_blanks();
    return rest_.starts_with(wanted);
  }
  bool accept(char wanted) {
    const bool found = next_is(wanted);
    if (found) rest_.remove_prefix(1);
    return found;
  }
  void skip(char wanted) {
    if (!accept(wanted)) refuse("its header is no dictionary");
  }
  std::string_view quoted() {
    const char quote = next_is('"') ? '"' : '\'';
    skip(quote);
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) refuse("its header ends inside a text");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool truth() {
    skip_blanks();
    for (const auto& [word, value] :
         {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    refuse("its fortran_order is neither True nor False");
  }
  ElementType element_type() {
    if (next_is('[')) refuse("its elements are structures, which buffers do not have");
    const std::string_view descr = quoted();
    if (const auto type = element_type_of_numpy(descr)) return *type;
    if (descr.starts_with('>')) refuse("its elements are big-endian; GPUs are little-endian");
    refuse(fmt::format("its elements are of numpy's type '{:.16}'; supported: {}", descr,
                       fmt::join(element_type_names(), ", ")));
  }
  std::vector<std::uint64_t> extents() {
    std::vector<std::uint64_t> found;
    skip('(');
    while (!accept(')')) {
      skip_blanks();
      std::uint64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc{} || found.size() == Shape::kMostDimensions)
        refuse(fmt::format("its shape is no list of at most {} sizes", Shape::kMostDimensions));
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      found.push_back(extent);
      if (!accept(',') && !next_is(')')) refuse("its shape is no list of sizes");
    }
    return found;
  }

  const std::string& path_;
  std::string_view rest_;
};

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw UserError("there is no file " + path);
  return std::filesystem::file_size(path, error);
}

}  // namespace

std::optional<std::uint64_t> Shape::product() const {
  Checked product{1};
  bool none = false;
  for (const std::uint64_t extent : extents) {
    none |= extent == 0;
    product = product * std::max<std::uint64_t>(extent, 1);
  }
  if (!product.at_most(kMostElements)) return std::nullopt;
  return none ? 0 : product.value();
}

std::string Shape::text() const {
  return fmt::format("({}{})", fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
}

std::string Shape::place(std::uint64_t element) const {
  std::vector<std::uint64_t> indices(extents.size());
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t dimension = column_major ? i : extents.size() - 1 - i;
    indices[dimension] = element % extents[dimension];
    element /= extents[dimension];
  }
  return fmt::format("[{}]", fmt::join(indices, ", "));
}

NpyHeader read_npy_header(const std::string& path) {
  const std::uint64_t size = size_of(path);
  std::ifstream file(path, std::ios::binary);
  std::string start(12, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  const auto byte = [&](std::size_t at) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(start[at]));
  };
  if (!file || !start.starts_with(kMagic)) throw UserError({path}, "this is no .npy file of numpy");
  const std::uint64_t version = byte(6);
  if (version < 1 || version > 3)
    throw UserError({path}, fmt::format("version {} of .npy files is not known", version));
  const std::uint64_t first = version == 1 ? 10 : 12;
  const std::uint64_t length =
      byte(8) | byte(9) << 8 | (version == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > kMostHeaderBytes || !is_inside(first, length, size))
    throw UserError({path}, "its header is longer than the file or than 64 KiB");
  std::string text(length, '\0');
  file.seekg(static_cast<std::streamoff>(first));
  file.read(text.data(), static_cast<std::streamsize>(length));
  NpyHeader header = Dictionary(path, text).read();
  header.data_offset = first + length;
  if (!header.shape.product())
    throw UserError({path}, fmt::format("its shape {} is larger than the memory of any GPU",
                                        header.shape.text()));
  const std::uint64_t data = header.shape.elements() * info_of(header.type).bytes;
  if (size - header.data_offset != data)
    throw UserError({path},
                    fmt::format("it has {} bytes of data; {} elements of {} in shape {} are {}",
                                size - header.data_offset, header.shape.elements(),
                                info_of(header.type).name, header.shape.text(), data));
  return header;
}

std::string read_npy_data(const std::string& path, const NpyHeader& header) {
  std::string data(header.shape.elements() * info_of(header.type).bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(header.data_offset));
  file.read(data.data(), static_cast<std::streamsize>(data.size()));
  if (!file) throw UserError({path}, "it became shorter while it was read");
  return data;
}

void write_npy(const std::string& path, ElementType type, const Shape& shape,
               const std::string& data) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", info_of(type).numpy,
                  shape.column_major ? "True" : "False", shape.text());
  constexpr std::size_t kBefore = 10;  // magic, version, length
  header.append(kAlignment - 1 - (kBefore + header.size()) % kAlignment, ' ');
  header += '\n';
  std::string file(kMagic);
  file +=
      {'\1', '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  write_file_atomically(path, file + header + data);
}

}  // namespace heddle::cuda
