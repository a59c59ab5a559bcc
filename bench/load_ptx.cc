// Measures how long it takes to parse and lower a module.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>

#include "tests/ptx/ptx_text.h"

namespace {

// A module with kernels of loads, arithmetic, branches and stores.
std::string generated_module(std::size_t bytes) {
  std::string text = heddle::ptx::kHeader;
  for (int kernel = 0; text.size() < bytes; ++kernel) {
    text += ".visible .entry kernel_" + std::to_string(kernel) +
            "(.param .u64 a, .param .u32 n)\n{\n" + heddle::ptx::kRegisters +
            "\tld.param.u64 \t%rd1, [a];\n";
    for (int i = 0; i < 200; ++i) {
      const std::string label = "$L__BB" + std::to_string(kernel) + "_" + std::to_string(i),
                        r = std::to_string(i % 90);
      text += "\tld.global.f32 \t%f" + r + ", [%rd1+" + std::to_string(4 * i) +
              "];\n\tfma.rn.f32 \t%f2, %f" + r + ", %f2, 0f3F80" + std::to_string(1000 + i) +
              ";\n\tadd.s32 \t%r" + r + ", %r1, " + std::to_string(i) +
              ";\n\tsetp.lt.s32 \t%p1, %r" + r + ", %r2;\n\t@%p1 bra \t" + label +
              ";\n\tst.global.f32 \t[%rd1+" + std::to_string(4 * i) + "], %f2;\n" + label + ":\n";
    }
    text += "\tret;\n}\n";
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  std::string what = "800000";
  CLI::App app{"Measures how long it takes to parse and lower a module", "load_ptx"};
  app.add_option("what", what, "a PTX file, or the size in bytes of a generated one")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const bool is_number = what.find_first_not_of("0123456789") == std::string::npos;
  std::string text;
  if (is_number) {
    text = generated_module(std::stoull(what));
  } else {
    std::ifstream file(what);
    if (!file) {
      std::cerr << "load_ptx: cannot read " << what << "\n";
      return 1;
    }
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  double best_parse = 1e9, best_lower = 1e9;
  std::size_t kernels = 0;
  for (int round = 0; round < 5; ++round) {
    const auto start = Clock::now();
    const heddle::ptx::Module module = heddle::ptx::Module::parse(text, what);
    const auto parsed = Clock::now();
    kernels = module.kernel_names().size();
    for (const std::string& kernel : module.kernel_names())
      module.lower(kernel, heddle::ptx::place(module));
    best_parse = std::min(best_parse, std::chrono::duration<double>(parsed - start).count());
    best_lower = std::min(best_lower, std::chrono::duration<double>(Clock::now() - parsed).count());
  }
  std::cout << text.size() << " bytes, " << kernels << " kernels: parsed in " << best_parse * 1000
            << " ms, all kernels lowered in " << best_lower * 1000 << " ms\n";
}
