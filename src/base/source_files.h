// Which source files Heddle may show.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

// Names of source files come from PTX and from results, which may be anybody's. Read are only
// regular files of at most kMaxBytes whose name ends as that of a source file, below the given
// folders; a link leads nowhere else. Devices and pipes are not opened.
class SourceFiles {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

  SourceFiles() = default;
  explicit SourceFiles(const std::vector<std::string>& folders);

  // The folder of a program, which may be a link, and folders that the user named.
  static SourceFiles of_program(const std::string& program, std::vector<std::string> folders);

  // A line, counted from 1, without its indentation; empty when there is none or it may not be
  // read.
  std::string line(const std::string& file, int number);
  // The whole file, under the same rule. A relative name is looked for below each folder.
  std::optional<std::string> text(const std::string& file);

  std::vector<std::string> shown() const;    // files that were read
  std::vector<std::string> refused() const;  // files that exist and may not be read

 private:
  enum class State { missing, refused, shown };
  struct File {
    State state = State::missing;
    std::string text;
  };
  const File& find(const std::string& file);
  File read(const std::string& path) const;
  std::vector<std::string> with_state(State state) const;

  std::vector<std::string> folders_;  // real paths
  std::map<std::string, File> files_;
};

}  // namespace heddle
