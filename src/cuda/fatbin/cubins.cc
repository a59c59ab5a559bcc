#include "cuda/fatbin/cubins.h"

#include <filesystem>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "cuda/fatbin/fat_binary.h"
#include "sass/cubin/elf.h"

namespace heddle::cuda {
namespace {

constexpr std::size_t kMostCubinBytes = std::size_t{1} << 30;  // of the cubins of a file

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The contents of the containers' cubin entries; `problem` is what is wrong with a container.
std::vector<std::string> embedded_cubins(const std::string& path, const std::string& file,
                                         std::string& problem) {
  std::vector<std::string> contents;
  std::size_t total = 0;
  for (const FoundContainer& container : find_containers(bytes_of(file), problem)) {
    for (const ContainerEntry& entry : container.entries) {
      if (!entry.cubin) continue;
      try {
        contents.push_back(entry_content(entry));
      } catch (const UserError& error) {
        throw UserError(path + ": " + error.what());
      }
      total += contents.back().size();
      if (total > kMostCubinBytes) throw UserError(path + ": its cubins have more than 1 GiB");
    }
  }
  return contents;
}

}  // namespace

sass::Cubin CubinImage::read() const {
  try {
    return sass::read_cubin(bytes_of(content));
  } catch (const UserError& error) {
    throw UserError(name + ": " + error.what());
  }
}

std::vector<CubinImage> cubins_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw UserError("no such file: " + path);
  std::string file = read_file(path);
  std::vector<CubinImage> images;
  if (sass::is_cubin(bytes_of(file))) {
    images.push_back({path, std::move(file)});
    return images;
  }
  std::string problem;
  std::vector<std::string> contents = embedded_cubins(path, file, problem);
  if (contents.empty() && !problem.empty()) throw UserError(path + ": " + problem);
  if (contents.empty())
    throw UserError(path +
                    " contains no machine code: let nvcc keep some (-gencode "
                    "arch=compute_80,code=sm_80)");
  for (std::size_t i = 0; i < contents.size(); ++i) {
    images.push_back(
        {contents.size() == 1 ? path : path + "#" + std::to_string(i + 1), std::move(contents[i])});
  }
  return images;
}

}  // namespace heddle::cuda
