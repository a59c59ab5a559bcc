// docs/cuda-api.md is generated from the lists of calls. Run this test with HEDDLE_WRITE_DOCS=1 to
// update it.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace {

struct Page {
  std::set<std::string> runtime, driver, changed;
  std::string refused;
};

Page page() {
  Page p;
#define HEDDLE_CALL(name) p.runtime.insert(#name);
#define HEDDLE_CHANGED(name, of11, of12) p.runtime.insert(#name), p.changed.insert(#name);
#define HEDDLE_VARIANT(name, suffix)
#define HEDDLE_REFUSED(name, needs) p.refused += "| `" #name "` | " needs " |\n";
#define HEDDLE_DRIVER(name) p.driver.insert(#name);
#define HEDDLE_DRIVER_VARIANT(name, suffix)
#include "cuda/abi/driver_calls.inc"
#include "cuda/abi/runtime_calls.inc"
#include "cuda/runtime/refused_calls.inc"
#define HEDDLE_REFUSED_DRIVER(name, needs) HEDDLE_REFUSED(name, needs)
#include "cuda/driver/refused_calls.inc"
  return p;
}

std::string listed(const std::set<std::string>& names) {
  std::string text, line;
  for (const std::string& name : names) {
    if (name.starts_with("__")) continue;  // only compilers call these
    if (line.size() + name.size() > 96) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "`" : " `") + name + "`";
  }
  return text + line + "\n";
}

std::string text() {
  const Page p = page();
  return "# The CUDA calls that Heddle supports\n\n`HEDDLE_WRITE_DOCS=1 "
         "build/bin/cuda_test` generates this page from the lists in `src/cuda/abi`.\n\n"
         "## Runtime API\n\nEvery call has the symbol versions of CUDA 11.0, 12 and 13, and the "
         "suffixes `_ptds` and `_ptsz`\nwhere CUDA has them.\n\n" +
         listed(p.runtime) +
         "\nFor programs built with CUDA 11 or 12 these calls have the signature or layout of that "
         "version:\n\n" +
         listed(p.changed) +
         "\n## Driver API\n\nEvery call also has the suffixes, as `_v2`, that compiled programs "
         "use.\n\n" +
         listed(p.driver) +
         "\n## Not supported\n\nThese calls print what is missing and return "
         "`cudaErrorNotSupported` or\n`CUDA_ERROR_NOT_SUPPORTED`.\n\n"
         "| call | missing |\n|---|---|\n" +
         p.refused;
}

TEST(Calls, AreListedInTheDocumentation) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/docs/cuda-api.md";
  if (std::getenv("HEDDLE_WRITE_DOCS")) std::ofstream(path) << text();
  std::ifstream in(path);
  const std::string written{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(written, text());
}

}  // namespace
