// Style as a test: order of rooms, sizes, names of calls that are not used.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "tests/tidy/source_tree.h"

namespace heddle::tidy {
namespace {

constexpr std::size_t kMaxLines = 600, kMaxReadmeLines = 40;
// A room may include only itself and rooms before it.
const std::vector<std::string> kRooms{
    "base", "config", "stats", "policies", "isa",    "ptx",  "sass", "analysis", "exec", "trace",
    "mem",  "sm",     "sched", "gpu",      "energy", "cuda", "lab",  "report",   "cli"};
const std::vector<std::string> kOwnCode{"src", "sdk", "tests", "bench", "workloads", "examples"};

std::size_t rank(const std::string& room) {
  return static_cast<std::size_t>(std::find(kRooms.begin(), kRooms.end(), room) - kRooms.begin());
}

template <class Use>
void for_each_line(const std::vector<SourceFile>& files, Use use) {
  for (const SourceFile& file : files)
    for (std::size_t i = 0; i < file.lines.size(); ++i) use(file, i);
}

// The CUDA headers and the device mathematics follow CUDA's own shapes, not ours.
bool follows_cuda(const SourceFile& file) {
  return file.in("sdk/include/") || file.in("sdk/device/");
}

TEST(Rooms, AreAllInTheOrder) {
  for (const SourceFile& file : read_sources({"src"}))
    EXPECT_LT(rank(file.room), kRooms.size()) << file.path;
}

// What `word` finds in each line of a file.
std::vector<std::string> words_of(const std::string& path, const std::regex& word) {
  std::vector<std::string> words;
  for (const SourceFile& file : read_texts({path}))
    for (const std::string& line : file.lines)
      for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at)
        words.push_back((*at)[1]);
  return words;
}

TEST(Rooms, HaveThisOrderInTheBuildAndOnTheMap) {
  std::vector<std::string> map =
      words_of("docs/pictures/rooms.svg", std::regex("class=\"name\">([a-z]+)<"));
  std::reverse(map.begin(), map.end());
  EXPECT_EQ(map, kRooms);
  const auto lists = words_of("CMakeLists.txt", std::regex("^set\\(HEDDLE_ROOMS ([a-z ]+)\\)"));
  ASSERT_EQ(lists.size(), 1u);
  std::istringstream rooms(lists[0]);
  const std::vector<std::string> built{std::istream_iterator<std::string>(rooms), {}};
  EXPECT_EQ(built, std::vector<std::string>(kRooms.begin(), kRooms.begin() + std::ssize(built)));
}

TEST(Rooms, IncludeOnlyRoomsBeforeThem) {
  const std::regex include("^\\s*#include \"([a-z]+)/");
  for_each_line(read_sources({"src"}), [&](const SourceFile& file, std::size_t i) {
    std::smatch match;
    if (follows_cuda(file) || !std::regex_search(file.lines[i], match, include)) return;
    EXPECT_LE(rank(match[1]), rank(file.room)) << place(file, i) << ": " << file.lines[i];
  });
}

// By name below src/, what each file includes.
std::map<std::string, std::vector<std::string>> includes_of_sources() {
  const std::regex include("^#include \"([^\"]+)\"");
  std::map<std::string, std::vector<std::string>> all;
  for_each_line(read_sources({"src"}), [&](const SourceFile& file, std::size_t i) {
    if (std::smatch match; std::regex_search(file.lines[i], match, include))
      all[file.path.substr(4)].push_back(match[1]);
  });
  return all;
}

// A second kind of code, beside PTX, needs no change of the timing model.
TEST(Timing, KnowsNoPtxNotEvenThroughAnotherRoom) {
  auto includes = includes_of_sources();
  for (const SourceFile& file : read_sources({"src/mem", "src/sm", "src/sched"})) {
    std::vector<std::string> reached{file.path.substr(4)};
    for (std::size_t n = 0; n < reached.size(); ++n)
      for (const std::string& next : includes[reached[n]])
        if (std::find(reached.begin(), reached.end(), next) == reached.end())
          reached.push_back(next);
    for (const std::string& header : reached)
      EXPECT_FALSE(header.starts_with("ptx/")) << file.path << " includes " << header;
  }
}

// Inside a room, too, a folder may include only itself and folders before it.
const std::map<std::string, std::vector<std::string>> kFolders{
    {"exec",
     {"convergence", "services", "state", "livelock", "isa", "check", "compiled", "functional"}},
    {"sm", {"policy", "count", "warp", "issue", "lsu", "front", "stages", "cta", "cycle"}},
    {"ptx", {"forms", "syntax", "flow", "lower"}},
    {"sass", {"encoding", "cubin"}},
    {"sched", {"framework", "adaptive", "limiters", "orders"}},
    {"gpu", {"cta", "share", "nested", "engine", "observe"}},
    {"cuda",
     {"compile", "nvvm", "fatbin", "objects", "capture", "process", "operations", "graph",
      "kernels", "replay", "driver", "runtime", "abi"}},
    {"lab", {"originals", "sample", "store", "sweep", "parts", "reproduction"}},
};

TEST(Folders, IncludeOnlyFoldersBeforeThemInTheirRoom) {
  const std::regex folder("^src/[a-z]+/([a-z]+)/"), include("^\\s*#include \"([a-z]+)/([a-z]+)/");
  for_each_line(read_sources({"src"}), [&](const SourceFile& file, std::size_t i) {
    const auto room = kFolders.find(file.room);
    std::smatch own, other;
    if (room == kFolders.end() || follows_cuda(file)) return;
    if (!std::regex_search(file.path, own, folder)) return;
    if (!std::regex_search(file.lines[i], other, include) || other[1] != file.room) return;
    const auto place_of = [&](const std::string& name) {
      return std::find(room->second.begin(), room->second.end(), name) - room->second.begin();
    };
    EXPECT_LT(place_of(own[1]), std::ssize(room->second)) << file.path << ": an unknown folder";
    EXPECT_LE(place_of(other[2]), place_of(own[1])) << place(file, i) << ": " << file.lines[i];
  });
}

// One record per line, or written by another program.
bool is_data(const SourceFile& file) {
  const auto ends = [&](const char* extension) { return file.path.ends_with(extension); };
  return ends(".csv") || ends(".ptx") || ends(".ll") || ends(".svg") || ends(".ipynb") ||
         ends("package-lock.json") ||
         (file.in("tests/conformance/") && ends(".txt") && !ends("CMakeLists.txt"));
}

TEST(Rooms, HaveAReadmeOfAScreen) {
  for (const std::string& room : kRooms) {
    const std::string path = "src/" + room + "/README.md";
    const auto readme = read_texts({path});
    EXPECT_EQ(readme.size(), 1u) << path << " is missing";
    for (const SourceFile& page : readme) EXPECT_LE(page.lines.size(), kMaxReadmeLines) << path;
  }
}

TEST(Files, HaveAtMost600Lines) {
  for (const SourceFile& file : read_texts(kOwnCode)) {
    if (is_data(file)) continue;
    EXPECT_LE(file.lines.size(), kMaxLines) << file.path;
  }
}

TEST(Lines, HaveAtMost100Columns) {
  for_each_line(read_texts(kOwnCode), [](const SourceFile& file, std::size_t i) {
    if (is_data(file) || file.is_markdown()) return;
    EXPECT_LE(columns_of(file.lines[i]), kMaxColumns) << place(file, i);
  });
}

TEST(Files, FollowTheEditorConfig) {
  for (const SourceFile& file : read_repository()) {
    if (is_data(file)) continue;
    EXPECT_TRUE(file.ends_in_newline) << file.path << " does not end in a newline";
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      EXPECT_FALSE(line.ends_with(' ') || line.ends_with('\t') || line.ends_with('\r'))
          << place(file, i) << " ends in a blank";
      EXPECT_TRUE(line.find('\t') == std::string::npos || file.path.ends_with("Makefile"))
          << place(file, i) << " has a tab";
    }
  }
}

TEST(Headers, HavePragmaOnce) {
  for (const SourceFile& file : read_sources({"src", "tests", "bench"})) {
    if (!file.is_header() || file.in("sdk/include/")) continue;
    const bool once =
        std::any_of(file.lines.begin(), file.lines.end(),
                    [](const std::string& line) { return line.starts_with("#pragma once"); });
    EXPECT_TRUE(once) << file.path;
  }
}

TEST(Code, HasNoUnfinishedWords) {
  // Put together here, so that this file does not hold them.
  const std::string words = std::string("TO") + "DO|FIX" + "ME|XX" + "X|HA" + "CK";
  const std::regex unfinished("\\b(" + words + ")\\b");
  for_each_line(read_sources(kOwnCode), [&](const SourceFile& file, std::size_t i) {
    EXPECT_FALSE(std::regex_search(file.lines[i], unfinished))
        << place(file, i) << ": " << file.lines[i];
  });
}

struct Ban {
  const char* what;
  std::regex pattern;
  std::vector<std::string> allowed_in;
};

TEST(Code, MakesNoBannedCalls) {
  const std::vector<Ban> bans{
      {"printing belongs to the command line, the diagnostics and the simulated process",
       std::regex("\\b(f?printf|puts|putchar|fputs)\\s*\\("),
       {"src/base/diagnostics.cc", "src/cuda/runtime/", "src/cuda/process/", "src/cuda/objects/",
        "src/cuda/fatbin/", "src/cuda/compile/", "src/cuda/replay/", "src/exec/", "src/cli/"}},
      {"streams belong to the command line",
       std::regex("std::(cout|cerr|clog)\\b"),
       {"src/cli/", "src/cuda/compile/"}},
      {"random numbers come from a seeded generator",
       std::regex("\\b(rand|srand|random_device|drand48)\\b\\s*[({]"),
       {}},
      {"memory is owned by value or by a smart pointer",
       std::regex("(^|[^_a-zA-Z])(new\\s+[A-Za-z_:]|delete\\s+[a-z_(*]|delete\\[\\])"),
       {}},
      {"C allocation",
       std::regex("(std::|^\\s*|[=;({]\\s*)(malloc|calloc|realloc|free)\\s*\\([^)]"),
       {"src/cuda/runtime/", "src/cuda/process/", "src/cuda/objects/", "src/cuda/fatbin/"}},
      {"text that cannot overflow: fmt",
       std::regex("\\b(sprintf|strcpy|strcat|gets)\\s*\\("),
       {"src/cuda/runtime/", "src/cuda/process/", "src/cuda/objects/", "src/cuda/fatbin/"}},
  };
  for_each_line(read_sources({"src"}), [&](const SourceFile& file, std::size_t i) {
    if (follows_cuda(file)) return;
    const std::string code = code_of(file.lines[i]);
    for (const Ban& ban : bans) {
      if (std::any_of(ban.allowed_in.begin(), ban.allowed_in.end(),
                      [&](const std::string& folder) { return file.in(folder); }))
        continue;
      EXPECT_FALSE(std::regex_search(code, ban.pattern))
          << place(file, i) << ": " << ban.what << ": " << file.lines[i];
    }
  });
}

}  // namespace
}  // namespace heddle::tidy
