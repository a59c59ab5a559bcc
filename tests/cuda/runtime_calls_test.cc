// docs/cuda-api.md is generated from the lists of calls. Run this test with HEDDLE_WRITE_DOCS=1 to
// update it.
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/input_file.h"

namespace {

using Names = std::set<std::string>;

struct Page {
  Names changed;
  std::map<std::string, Names> refused;  // by what is missing
};

Page page() {
  Page p;
#define HEDDLE_CALL(name)
#define HEDDLE_CHANGED(name, of11, of12) p.changed.insert(#name);
#define HEDDLE_VARIANT(name, suffix)
#define HEDDLE_REFUSED(name, needs) p.refused[needs].insert(#name);
#include "cuda/abi/runtime_calls.inc"
#include "cuda/runtime/refused_calls.inc"
#define HEDDLE_REFUSED_DRIVER(name, needs) HEDDLE_REFUSED(name, needs)
#include "cuda/driver/refused_calls.inc"
  return p;
}

std::string listed(const Names& names, std::size_t width) {
  std::string text, line;
  for (const std::string& name : names) {
    if (line.size() + name.size() > width) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "`" : " `") + name + "`";
  }
  return text + line;
}

std::string text() {
  const Page p = page();
  std::string text =
      "# The CUDA calls that Heddle supports\n\n`HEDDLE_WRITE_DOCS=1 build/bin/cuda_test` "
      "generates "
      "this page from `sdk/tables/calls.txt`.\n\nHeddle has every call that `cuda_runtime_api.h` "
      "and "
      "`cuda.h` of CUDA 13 declare, except those\nbelow. It also has [calls that newer CUDA "
      "removed]"
      "(compile.md#what-the-headers-contain).\nCalls of the runtime API have the symbol versions "
      "of "
      "CUDA 11.0, 12 and 13 and the suffixes\n`_ptds` and `_ptsz` where CUDA has them; calls of "
      "the "
      "driver API also have the suffixes, as `_v2`,\nthat compiled programs use.\n\nFor programs "
      "built "
      "with CUDA 11 or 12 these calls have the signature or layout of that version:\n\n" +
      listed(p.changed, 96) +
      "\n\n## Not supported\n\nThese calls print what is missing and return "
      "`cudaErrorNotSupported` or\n`CUDA_ERROR_NOT_SUPPORTED`.\n\n| missing | calls |\n|---|---|\n";
  for (const auto& [needs, calls] : p.refused)
    text += "| " + needs + " | " + listed(calls, std::string::npos) + " |\n";
  return text;
}

TEST(Calls, AreListedInTheDocumentation) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/docs/cuda-api.md";
  if (std::getenv("HEDDLE_WRITE_DOCS")) std::ofstream(path) << text();
  EXPECT_EQ(heddle::read_file(path), text());
}

}  // namespace
