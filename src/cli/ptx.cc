// heddle ptx
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "base/diagnostics.h"
#include "cli/verbs.h"
#include "cuda/capture/capture_file.h"
#include "cuda/fatbin/ptx_texts.h"
#include "lab/ptx_survey.h"
#include "report/ptx_summary.h"

namespace heddle::cli {
namespace {

std::vector<std::pair<std::string, std::string>> texts_of(const std::string& file) {
  if (cuda::is_capture(file)) return cuda::module_texts(cuda::CaptureFile(file));
  std::vector<std::pair<std::string, std::string>> texts;
  for (cuda::PtxText& text : cuda::ptx_texts_of(file))
    texts.emplace_back(std::move(text.name), std::move(text.text));
  return texts;
}

}  // namespace

void add_ptx(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("ptx", "describe a PTX module, and list what is not supported");
  auto file = std::make_shared<std::string>();
  verb->add_option("FILE", *file,
                   "a .ptx file, or an executable, object, library, fat binary or capture with PTX "
                   "in it")
      ->type_name("FILE")
      ->required();
  verb->footer("The exit code is 2 when something is not supported.");
  verb->callback([file, &action] {
    action = [file] {
      bool supported = true;
      for (const auto& [name, text] : texts_of(*file)) {
        const lab::PtxSurvey survey = lab::survey_ptx(name, text);
        std::cout << report::ptx_summary(survey);
        supported = supported && survey.unsupported.empty();
      }
      return static_cast<int>(supported ? ExitCode::success : ExitCode::usage);
    };
  });
}

}  // namespace heddle::cli
