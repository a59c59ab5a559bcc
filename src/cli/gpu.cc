// heddle gpu
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "base/output_file.h"
#include "cli/verbs.h"
#include "config/config.h"
#include "config/gpgpusim_import.h"
#include "report/gpu_summary.h"

namespace heddle::cli {
namespace {

struct ImportOptions {
  std::string configuration, output;
};

int import(const ImportOptions& options) {
  const config::ImportedGpu gpu = config::import_gpgpu_sim(options.configuration);
  if (options.output.empty())
    std::cout << gpu.toml;
  else
    write_file_atomically(options.output, gpu.toml);
  for (const std::string& remark : gpu.remarks) std::cerr << "note: " << remark << "\n";
  return 0;
}

void add_import(CLI::App& gpu, Action& action) {
  CLI::App* verb = gpu.add_subcommand("import", "make a GPU file of a configuration of GPGPU-Sim");
  auto options = std::make_shared<ImportOptions>();
  verb->add_option("CONFIGURATION", options->configuration, "gpgpusim.config of GPGPU-Sim 4.x")
      ->type_name("FILE")
      ->required();
  verb->add_option("-o,--output", options->output, "the GPU file (default: standard output)")
      ->type_name("FILE");
  verb->footer("Standard error lists what has no counterpart.");
  verb->callback([options, &action] { action = [options] { return import(*options); }; });
}

struct ShowOptions {
  std::string gpu;
  std::vector<std::string> overrides;
};

void add_show(CLI::App& gpu, Action& action) {
  CLI::App* verb = gpu.add_subcommand("show", "print the size and the peak rates of a GPU");
  auto options = std::make_shared<ShowOptions>();
  verb->add_option("GPU", options->gpu, "a preset or a GPU file")->type_name("GPU")->required();
  verb->add_option("--set", options->overrides, "override a parameter; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->callback([options, &action] {
    action = [options] {
      std::cout << report::gpu_summary(config::load_gpu(options->gpu, options->overrides));
      return 0;
    };
  });
}

}  // namespace

void add_gpu(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("gpu", "show a GPU, or import one of GPGPU-Sim");
  verb->require_subcommand(1);
  add_show(*verb, action);
  add_import(*verb, action);
}

}  // namespace heddle::cli
