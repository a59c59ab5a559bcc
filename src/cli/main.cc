// The heddle command. Verbs are declared in files of their own.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "base/diagnostics.h"
#include "base/library_errors.h"
#include "base/process_group.h"
#include "base/terminal.h"
#include "cli/examples.h"
#include "cli/run_options.h"
#include "cli/standard_streams.h"
#include "cli/verbs.h"
#include "lab/compare.h"
#include "report/wrapped_text.h"

namespace {

constexpr const char* kExamples =
    "First steps:\n"
    "  heddle cc kmeans.cu -o kmeans                        compile CUDA C++, no toolkit needed\n"
    "  heddle run --gpu gtx480 --scheduler gto ./kmeans 34  run it on a simulated GPU\n"
    "  heddle compare --schedulers lrr,gto,srr ./kmeans 34  which one wins, and why\n"
    "  heddle list schedulers                               all schedulers\n\n"
    "`heddle VERB --help` describes a verb.";

void reject_unknown_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  if (word.starts_with("-") || std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
  throw heddle::UserError("there is no verb '" + word + "'" + heddle::did_you_mean(word, verbs) +
                          " (heddle --help)");
}

int report_error(const std::string& message) {
  std::cerr << "heddle: error: " << message << "\n";
  return static_cast<int>(heddle::ExitCode::usage);
}

int parse_and_act(int argc, char** argv) {
  CLI::App app{
      "simulate GPUs cycle by cycle, run CUDA programs on them, and compare warp schedulers",
      "heddle"};
  app.set_help_flag("-h,--help", "print the options and exit");  // the verbs have it too
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION, "print the version and exit");
  app.require_subcommand(0, 1);  // so that `heddle man run` is not two verbs
  heddle::cli::Action action;
  heddle::cli::add_cc(app);
#define HEDDLE_VERB(name) heddle::cli::add_##name(app, action);
#include "cli/verbs.inc"
#undef HEDDLE_VERB
  app.footer(kExamples);  // after the verbs, which would inherit it
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string notes = verb->get_footer();
    verb->footer(notes + (notes.empty() ? "" : "\n\n") +
                 heddle::cli::examples_of(verb->get_name()));
  }
  const int width = heddle::terminal_width(STDOUT_FILENO, 0);
  if (argc == 1) {
    std::cout << heddle::report::wrapped(app.help(), width);
    return static_cast<int>(heddle::ExitCode::usage);
  }
  reject_unknown_verb(app, argv[1]);
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    heddle::cli::join_plot_file(app, words);
    std::reverse(words.begin(), words.end());  // CLI11 reads from the back
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_name() == "CallForHelp") {
      std::cout << heddle::report::wrapped(app.help(), width);
      return 0;
    }
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << "heddle: error: " << error.what() << " (heddle --help)\n";
    return static_cast<int>(heddle::ExitCode::usage);
  }
  if (!action) return static_cast<int>(heddle::ExitCode::usage);
  try {
    const int code = action();
    if (code != 0) heddle::cli::note_options_behind_program(app);
    return code;
  } catch (const heddle::UserError&) {
    heddle::cli::note_options_behind_program(app);
    throw;
  }
}

// Every exception becomes a message, also one of a library.
int act_on(int argc, char** argv) {
  try {
    if (argc > 1 && std::string(argv[1]) == "cc")
      return heddle::cli::run_cc({argv + 2, argv + argc});
    return parse_and_act(argc, argv);
  } catch (const heddle::lab::ProgramFailure& failure) {
    std::cerr << failure.program_errors;
    return report_error(failure.what());
  } catch (const heddle::Interruption& interruption) {
    return heddle::kKilledBySignal + interruption.signal;
  } catch (const std::exception& error) {
    return report_error(heddle::describe_error(error));
  } catch (...) {
    return report_error("an exception without a description ended the command");
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes fails, with a reason
  return heddle::cli::finish_streams(act_on(argc, argv));
}
