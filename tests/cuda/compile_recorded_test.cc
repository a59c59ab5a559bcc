// What heddle cc does with each option, and what it makes of the texts that it changes, stays what
// it is.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"
#include "cuda/compile/compile.h"
#include "cuda/compile/device_symbols.h"
#include "cuda/compile/hints.h"
#include "cuda/compile/option_table.h"
#include "cuda/compile/patches/asm_order.h"
#include "cuda/compile/patches/cache_operators.h"
#include "cuda/compile/patches/grid_constants.h"
#include "cuda/compile/patches/kernel_attributes.h"
#include "cuda/compile/patches/local_data.h"
#include "cuda/compile/patches/narrow_conversions.h"
#include "cuda/compile/patches/tidy_branches.h"
#include "tests/damaged_text.h"
#include "tests/recorded.h"

namespace heddle::cuda {
namespace {

constexpr const char* kSource = HEDDLE_SOURCE_DIR "/examples/bfs.cu";

std::string text_of(const CompileOptions& o) {
  return fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} "
      "{} "
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n",
      o.inputs, o.output, o.compile_only, o.ptx_only, o.assembly, o.fatbin_only, o.device_link_only,
      o.archive, o.flush_denormals, o.contract, o.exact_division, o.exact_roots, o.register_bound,
      o.language, o.keep, o.keep_folder, o.output_folder, o.archiver, o.run, o.run_arguments,
      o.dry_run, o.preprocess, o.print_version, o.print_toolkit, o.listed_targets, o.verbose,
      o.fast_math, o.line_tables, o.debug, o.no_warnings, o.optimization, o.architecture,
      o.named.generated, o.named.specific, o.gpu_code, o.load_operator, o.store_operator,
      o.standard, o.ps_hints, o.cta_hints, o.device_ptx, o.preprocessor, o.diagnostics,
      o.dependency_flags, o.host_flags, o.link_flags, o.forward_to_compiler, o.forward_to_linker,
      o.notes);
}

void replace_all(std::string& text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; !part.empty() && (at = text.find(part, at)) != std::string::npos;
       at += by.size())
    text.replace(at, part.size(), by);
}
// The path that ends in `last`, without it.
std::string path_before(const std::string& text, const std::string& last) {
  const std::size_t end = text.find(last);
  if (end == std::string::npos) return "";
  const std::size_t blank = text.find_last_of(" =", end);
  return text.substr(blank + 1, end - blank - 1);
}
// Without the places of this installation.
std::string without_places(std::string text) {
  replace_all(text, path_before(text, "/include/heddle-cuda"), "HERE");
  replace_all(text, path_before(text, "/clang++-19"), "");
  constexpr std::size_t kFolder = std::string_view("/heddle-XXXXXX").size();
  for (std::string before; !(before = path_before(text, "/heddle-")).empty();)
    replace_all(text, text.substr(text.find(before + "/heddle-"), before.size() + kFolder),
                "TEMPORARY");
  replace_all(text, HEDDLE_SOURCE_DIR, "SOURCE");
  return text;
}

// What is read of a command line, and which commands follow from it.
std::string outcome_of(const std::vector<std::string>& arguments) {
  static std::map<std::string, std::string> commands;  // by options
  try {
    CompileOptions options = parse_arguments(arguments);
    // --gpu-code needs tools of the user's.
    if (options.print_version || options.print_toolkit || !options.listed_targets.empty() ||
        !options.gpu_code.empty())
      return without_places(text_of(options));
    options.dry_run = true;
    const auto [known, added] = commands.try_emplace(text_of(options));
    if (!added) return without_places(known->first) + known->second;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
      known->second = std::to_string(compile(options));
    } catch (const UserError& refusal) {
      known->second = refusal.what();
    }
    known->second += testing::internal::GetCapturedStdout();
    known->second = without_places(known->second + testing::internal::GetCapturedStderr());
    return without_places(known->first) + known->second;
  } catch (const UserError& refusal) {
    return refusal.what();
  }
}

TEST(CompileRecorded, WhatEachOptionDoes) {
  const std::vector<std::string> values = {
      "1",      "0",           "yes",        "no", "maybe",
      "sm_90a", "compute_60",  "c++14",      "c",  "arch=compute_70,code=[sm_70,compute_70]",
      "a,b",    "\"x,y\" z",   "per-thread", "40", "-maxrregcount=20,-dlcm=cg,-dscm=wt",
      "x.toml", "all-warnings"};
  for (const Option& option : option_table()) {
    Fnv64 hash;
    for (const std::string_view each : option.names) {
      const std::string name(each);
      if (name.find("options-file") != std::string::npos || name == "-optf") continue;
      hash.add(outcome_of({kSource, name}));
      hash.add(outcome_of({kSource, name + "="}));
      for (const std::string& value : values) {
        hash.add(outcome_of({kSource, name, value, "-o", "out"}));
        hash.add(outcome_of({kSource, name + "=" + value}));
        if (option.value == Option::Value::attached || option.value == Option::Value::attached_list)
          hash.add(outcome_of({name + value, kSource, "b.o", "-lm"}));
      }
    }
    check_recorded_text("cuda/recorded_options.txt", std::string(option.names.back()),
                        fmt::format("{:016x}", hash.value()));
  }
}

// Two options that change what a compilation does.
TEST(CompileRecorded, WhatPairsOfOptionsDo) {
  std::istringstream words(
      "-c -ptx -fatbin -dlink -lib -run -E -M -MD -S -g -O0 -w -keep -odir=d -x=c++ -pg "
      "-use_fast_math -fmad=no -v -shared -arch=sm_90a -std=c++20 -cuda-device-only "
      "-Xptxas=-dlcm=ca -prec-div=false -Xcompiler=-O2,-I,x -Xlinker=-z -maxrregcount=32 "
      "-default-stream=per-thread -Wall -Werror --keep-dir=k");
  const std::vector<std::string> options{std::istream_iterator<std::string>(words), {}};
  for (const std::string& first : options) {
    Fnv64 hash;
    for (const std::string& second : options)
      hash.add(outcome_of({first, kSource, second})),
          hash.add(outcome_of({first, second, kSource, "-o", "out", "b.o", "c.cpp"}));
    check_recorded_text("cuda/recorded_options.txt", "with " + first,
                        fmt::format("{:016x}", hash.value()));
  }
}

std::string or_refusal(const std::function<std::string()>& work) {
  try {
    return work();
  } catch (const UserError& refusal) {
    return refusal.what();
  }
}

template <class Change>
void check_changes(const std::string& name, const std::string& text, Change change) {
  Fnv64 hash;
  hash.add(or_refusal([&] { return change(text); }));
  for_each_damage(text, [&](std::size_t /*line*/, const std::string& damaged) {
    hash.add(or_refusal([&] { return change(damaged); }));
  });
  check_recorded_text("cuda/recorded_texts.txt", name, fmt::format("{:016x}", hash.value()));
}

TEST(CompileRecorded, WhatIsMadeOfPtxAndOfLlvmsText) {
  using Text = std::string;
  const Text ptx = read_file(HEDDLE_SOURCE_DIR "/tests/cuda/patched.ptx"),
             ir = read_file(HEDDLE_SOURCE_DIR "/tests/cuda/patched.ll");
  check_changes("tidy branches", ptx, [](const Text& t) { return tidy_branches(t); });
  check_changes("cache operators", ptx, [](const Text& t) {
    return with_cache_operator(t, "ld", "cg") + with_cache_operator(t, "st", "wt");
  });
  check_changes("questions about PTX", ptx,
                [](const Text& t) { return fmt::format("{}", passes_local_data(t)); });
  check_changes("names", ptx, [](const Text& t) { return names_of_device_code(t); });
  check_changes("automatic directions", ptx,
                [](const Text& t) { return with_automatic_directions(t); });
  check_changes("ordered asm", ir, [](const Text& t) { return with_ordered_asm(t); });
  check_changes("aligned locals", ir, [](const Text& t) { return with_aligned_locals(t); });
  check_changes("wide conversions", ir, [](const Text& t) { return with_wide_conversions(t); });
  check_changes("grid constants", ir, [](const Text& t) { return with_grid_constants(t); });
  for (const int architecture : {80, 90})
    check_changes(fmt::format("kernel attributes, sm_{}", architecture), ir,
                  [&](const Text& t) { return with_kernel_attributes(ptx, t, architecture); });
}

TEST(CompileRecorded, WhatHintsDo) {
  const TemporaryFolder folder;
  const std::string path = folder.file("hints.toml"),
                    code = read_file(HEDDLE_SOURCE_DIR "/tests/ptx/programs/reduce.sm75.ptx");
  std::map<std::size_t, Fnv64> lines;
  for_each_damage(read_file(HEDDLE_SOURCE_DIR "/tests/fuzz/corpus/hints/hints.toml"),
                  [&](std::size_t line, const std::string& damaged) {
                    write_file_atomically(path, damaged);
                    const std::string outcome = or_refusal([&] {
                      KernelHints hints = KernelHints::read(path);
                      return hints.with_directions(code, "") +
                             hints.with_loop_marks(code, "", true);
                    });
                    lines[line].add(without(outcome, path));
                  });
  for (const auto& [line, hash] : lines)
    check_recorded_text("cuda/recorded_texts.txt", fmt::format("hints, line {:02}", line),
                        fmt::format("{:016x}", hash.value()));
}

}  // namespace
}  // namespace heddle::cuda
