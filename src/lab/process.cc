#include "lab/process.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace {

// Not committed: the temporary file is removed.
void probe(const std::string& path) {
  OutputFile file(path);
  file.write("a test of Heddle\n");
  file.flush();
}

void create_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError("cannot create the folder " + folder + ": " + error.message());
}

}  // namespace

void require_writable_folder(const std::string& folder) {
  create_folder(folder);
  probe(folder + "/.heddle");
}

void require_writable_file(const std::string& path) {
  if (is_special_file(path)) return;
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty())
    create_folder(folder.string());
  probe(path);
}

}  // namespace heddle::lab
