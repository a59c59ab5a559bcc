// docs/cuda-api.md is written from the tables of calls; run with HEDDLE_WRITE_DOCS=1 to write it
// anew.
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
#include "cuda/abi/refused_runtime_calls.inc"
#include "cuda/abi/runtime_calls.inc"
#define HEDDLE_REFUSED_DRIVER(name, needs) HEDDLE_REFUSED(name, needs)
#include "cuda/abi/refused_driver_calls.inc"
  return p;
}

std::string listed(const std::set<std::string>& names) {
  std::string text, line;
  for (const std::string& name : names) {
    if (name.starts_with("__")) continue;  // what compilers call
    if (line.size() + name.size() > 135) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "`" : " `") + name + "`";
  }
  return text + line + "\n";
}

std::string text() {
  const Page p = page();
  return "# The CUDA calls that Heddle has\n\nThis page is written from the tables in the code "
         "(`HEDDLE_WRITE_DOCS=1 bin/cuda_test`).\n\n"
         "## Runtime\n\nUnder the symbol versions of CUDA 11.0, 12 and 13, and under `_ptds` and "
         "`_ptsz` where CUDA has such forms.\n\n" +
         listed(p.runtime) +
         "\nThese have CUDA 11's or 12's signature or layout for programs built with it:\n\n" +
         listed(p.changed) +
         "\n## Driver\n\nUnder these names and under those with `_v2` and the like that compiled "
         "programs use.\n\n" +
         listed(p.driver) +
         "\n## Refused\n\nThese return `cudaErrorNotSupported`, or `CUDA_ERROR_NOT_SUPPORTED`, and "
         "say why.\n\n| call | would need |\n|---|---|\n" +
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
