// heddle sass
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "cli/verbs.h"
#include "cuda/fatbin/cubins.h"
#include "report/machine_code.h"
#include "sass/architecture.h"

namespace heddle::cli {
namespace {

struct SassOptions {
  std::string file;
  std::string kernel;
  int architecture = 0;  // 0: all
  bool json = false;
};

// Without an architecture, those that are known: nvcc links a cubin of each that it knows with a
// program that launches from kernels.
void drop_unknown(std::vector<report::MachineCode>& files) {
  const auto unknown = std::stable_partition(files.begin(), files.end(), [](const auto& file) {
    return sass::is_known_architecture(file.cubin.architecture);
  });
  if (unknown == files.begin()) return;
  for (auto file = unknown; file != files.end(); ++file)
    std::cerr << "heddle: " << file->name << ": machine code of sm_" << file->cubin.architecture
              << " is not known and not listed\n";
  files.erase(unknown, files.end());
}

std::vector<report::MachineCode> cubins_of(const SassOptions& options) {
  std::vector<report::MachineCode> files;
  for (const cuda::CubinImage& image : cuda::cubins_of(options.file)) {
    sass::Cubin cubin = image.read();
    if (options.architecture == 0 || cubin.architecture == options.architecture)
      files.push_back({image.name, std::move(cubin)});
  }
  drop_unknown(files);
  if (files.empty())
    throw UserError(options.file + " contains no machine code for sm_" +
                    std::to_string(options.architecture));
  return files;
}

int list_machine_code(const SassOptions& options) {
  const std::vector<report::MachineCode> files = cubins_of(options);
  const report::MachineCodeText listing = options.json
                                              ? report::machine_code_json(files, options.kernel)
                                              : report::machine_code_text(files, options.kernel);
  std::cout << listing.text;
  return static_cast<int>(listing.complete ? ExitCode::success : ExitCode::usage);
}

}  // namespace

void add_sass(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("sass", "list machine code with its control words");
  auto options = std::make_shared<SassOptions>();
  verb->add_option("FILE", options->file,
                   "a cubin, or an executable, object, library or fat binary with cubins in it")
      ->type_name("FILE")
      ->required();
  verb->add_option("KERNEL", options->kernel,
                   "list only the kernel or function of this name; otherwise all are listed")
      ->type_name("KERNEL");
  verb->add_option("--architecture", options->architecture,
                   "list only the code for this architecture: 80 for sm_80")
      ->type_name("N");
  verb->add_flag("--json", options->json, "print JSON");
  verb->footer("An instruction that is not known is marked, and the exit code is 2.");
  verb->callback(
      [options, &action] { action = [options] { return list_machine_code(*options); }; });
}

}  // namespace heddle::cli
