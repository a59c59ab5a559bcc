#include "cuda/fatbin/ptx_texts.h"

#include <algorithm>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "cuda/fatbin/fat_binary.h"

namespace heddle::cuda {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw UserError("no such file: " + path);
  const std::string text = read_file(path);
  return {text.begin(), text.end()};
}

// All positions of a string.
std::vector<std::size_t> places_of(const Bytes& bytes, std::string_view needle) {
  std::vector<std::size_t> places;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (std::size_t at = 0; (at = text.find(needle, at)) != std::string_view::npos; ++at)
    places.push_back(at);
  return places;
}

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of the texts of a file

// Returns what is wrong with one of the containers.
std::string collect_containers(const std::string& path, const Bytes& bytes,
                               std::vector<std::string>& texts,
                               std::vector<std::pair<std::size_t, std::size_t>>& covered) {
  std::string problem;
  std::size_t total = 0;
  for (const FoundContainer& container : find_containers(bytes, problem)) {
    covered.emplace_back(container.offset, container.offset + container.bytes);
    try {
      for (const ContainerEntry& entry : container.entries) {
        if (!entry.ptx) continue;
        texts.push_back(ptx_text(entry));
        total += texts.back().size();
      }
    } catch (const UserError& error) {
      problem = error.what();
    }
    if (total > kMostBytes) throw UserError(path + ": its PTX has more than 1 GiB");
  }
  return problem;
}

// heddle cc embeds the text itself, terminated by a zero byte.
void collect_plain(const Bytes& bytes,
                   const std::vector<std::pair<std::size_t, std::size_t>>& covered,
                   std::vector<std::string>& texts) {
  std::size_t done = 0;
  for (std::size_t at : places_of(bytes, ".version ")) {
    const auto after =
        std::upper_bound(covered.begin(), covered.end(), std::pair{at, bytes.size()});
    const bool inside = after != covered.begin() && at < std::prev(after)->second;
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
  const Bytes bytes = bytes_of_file(path);
  std::vector<std::string> texts;
  std::string problem;
  if (std::find(bytes.begin(), bytes.end() - (bytes.empty() ? 0 : 1), 0) ==
      bytes.end() - (bytes.empty() ? 0 : 1)) {
    texts.emplace_back(bytes.begin(), bytes.end());
  } else {
    std::vector<std::pair<std::size_t, std::size_t>> covered;
    problem = collect_containers(path, bytes, texts, covered);
    collect_plain(bytes, covered, texts);
  }
  if (texts.empty() && !problem.empty()) throw UserError(path + ": " + problem);
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
