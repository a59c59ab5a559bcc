#include "cuda/fatbin/ptx_texts.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>

#include "base/diagnostics.h"
#include "cuda/fatbin/fat_binary.h"

namespace heddle::cuda {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw UserError("no such file: " + path);
  std::ifstream file(path, std::ios::binary);
  Bytes bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) throw UserError("cannot read " + path);
  return bytes;
}

// All positions of a string.
std::vector<std::size_t> places_of(const Bytes& bytes, std::string_view needle) {
  std::vector<std::size_t> places;
  for (auto at = bytes.begin();
       (at = std::search(at, bytes.end(), needle.begin(), needle.end())) != bytes.end(); ++at) {
    places.push_back(static_cast<std::size_t>(at - bytes.begin()));
  }
  return places;
}

// A container states its size; bytes that only resemble a container are skipped.
void collect_containers(const Bytes& bytes, std::vector<std::string>& texts,
                        std::vector<std::pair<std::size_t, std::size_t>>& covered) {
  std::string magic(4, '\0');
  std::memcpy(magic.data(), &kContainerMagic, 4);
  for (std::size_t at : places_of(bytes, magic)) {
    try {
      const auto entries = container_entries(std::span(bytes).subspan(at));
      std::uint64_t body = 0;
      std::memcpy(&body, bytes.data() + at + 8, 8);
      covered.emplace_back(at, at + 16 + body);
      for (const ContainerEntry& entry : entries)
        if (entry.ptx) texts.push_back(ptx_text(entry));
    } catch (const UserError&) {
      continue;
    }
  }
}

// heddle cc embeds the text itself, terminated by a zero byte.
void collect_plain(const Bytes& bytes,
                   const std::vector<std::pair<std::size_t, std::size_t>>& covered,
                   std::vector<std::string>& texts) {
  std::size_t done = 0;
  for (std::size_t at : places_of(bytes, ".version ")) {
    const bool inside = std::any_of(covered.begin(), covered.end(),
                                    [&](const auto& c) { return at >= c.first && at < c.second; });
    if (inside || at < done) continue;
    std::size_t first = at, last = at;
    while (first > 0 && bytes[first - 1] != 0) --first;
    while (last < bytes.size() && bytes[last] != 0) ++last;
    done = last;
    std::string text(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                     bytes.begin() + static_cast<std::ptrdiff_t>(last));
    if (text.find(".target") != std::string::npos) texts.push_back(std::move(text));
  }
}

}  // namespace

std::vector<PtxText> ptx_texts_of(const std::string& path) {
  const Bytes bytes = read_file(path);
  std::vector<std::string> texts;
  if (std::find(bytes.begin(), bytes.end() - (bytes.empty() ? 0 : 1), 0) ==
      bytes.end() - (bytes.empty() ? 0 : 1)) {
    texts.emplace_back(bytes.begin(), bytes.end());
  } else {
    std::vector<std::pair<std::size_t, std::size_t>> covered;
    collect_containers(bytes, texts, covered);
    collect_plain(bytes, covered, texts);
  }
  if (texts.empty())
    throw UserError(path +
                    " contains no PTX: compile it with heddle cc, or let nvcc keep PTX (-gencode "
                    "arch=compute_75,code=compute_75)");
  std::vector<PtxText> out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out.push_back(
        {texts.size() == 1 ? path : path + "#" + std::to_string(i + 1), std::move(texts[i])});
  }
  return out;
}

}  // namespace heddle::cuda
