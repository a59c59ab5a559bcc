// heddle capture
#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "cli/run_once.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "cuda/capture/capture_file.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct CaptureOptions : RunOptions {
  bool timed = false;
  std::string launches;
  std::uint64_t images_every = 0;
  bool for_check = false;
};

// "A-B", "A" or "A-": launches from 1 on.
void read_launches(const std::string& text, config::CaptureSpec& capture) {
  const char* const end = text.data() + text.size();
  const auto [dash, error] = std::from_chars(text.data(), end, capture.first);
  bool good = error == std::errc{} && capture.first >= 1;
  if (good && dash == end) capture.last = capture.first;
  if (good && dash != end && dash + 1 != end) {
    const auto [rest, other] = std::from_chars(dash + 1, end, capture.last);
    good = other == std::errc{} && rest == end && capture.last >= capture.first;
  }
  if (!good || (dash != end && *dash != '-'))
    throw UserError("--launches " + text +
                    ": must read FIRST-LAST, FIRST- or NUMBER, with launches from 1 on");
}

// A file that is removed when the work is over.
class ScratchFile {
 public:
  explicit ScratchFile(std::string path) : path_(std::move(path)) {}
  ~ScratchFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Beside the capture, where there is room for it.
std::string unused_name(const std::string& path) {
  const std::string stem = path + "." + std::to_string(getpid());
  std::string name = stem + ".whole";
  for (int i = 1; fs::exists(fs::symlink_status(name)); ++i)
    name = fmt::format("{}-{}.whole", stem, i);
  return name;
}

// Returns the exit code; `complete` when the file was written.
int write_capture(const lab::RunRequest& request, bool& complete) {
  const std::string& path = request.capture.path;
  const lab::RunOutcome outcome = lab::run_program(lab::PreparedRun(request));
  complete = outcome.usable() || outcome.fault;
  if (complete && !cuda::is_capture(path)) {
    complete = false;
    std::cerr << "heddle: error: the program ended without a capture\n";
  }
  if (!outcome.usable() && !outcome.reported)
    std::cerr << "heddle: error: " << outcome.problem << "\n";
  if (!outcome.lost_output.empty()) std::cerr << unusual_end(outcome);
  return complete || outcome.exit_code() ? outcome.exit_code() : static_cast<int>(ExitCode::usage);
}

// The file of --out, which may also stand behind the program's arguments: `PROGRAM ARGUMENTS -o
// FILE`. There it belongs to the program if --out stands before the program, too.
std::string capture_path(const std::string& out, std::vector<std::string>& program) {
  if (!out.empty()) return out;
  const std::size_t size = program.size();
  if (size < 3 || (program[size - 2] != "-o" && program[size - 2] != "--out"))
    throw UserError("the file of the capture is missing: heddle capture PROGRAM ARGUMENTS -o FILE");
  const std::string path = program.back();
  program.resize(size - 2);
  return path;
}

int capture(lab::RunRequest request, bool quiet) {
  const std::string path = request.capture.path;
  const bool cuts = request.capture.first > 1 || request.capture.last != ~std::uint64_t{0} ||
                    request.capture.images_every > 0;
  bool complete = true;
  int code = 0;
  if (cuda::is_capture(request.program.at(0))) {
    request.capture.cut = true;
    code = write_capture(request, complete);
  } else if (!cuts) {
    code = write_capture(request, complete);
  } else {
    const ScratchFile whole(unused_name(path));
    lab::RunRequest first = request;
    first.capture = {};
    first.capture.path = whole.path();
    code = write_capture(first, complete);
    if (complete) {
      request.program = {whole.path()};
      request.check.enabled = false;
      request.registers.clear();
      request.functional = true;
      request.capture.cut = true;
      const int cut_code = write_capture(request, complete);
      if (!complete) code = cut_code;
    }
  }
  if (!complete || quiet) return code;
  const std::uint64_t launches = cuda::read_info(path).launches;
  const std::uint64_t kib = (fs::file_size(path) + 1023) / 1024;
  std::cerr << fmt::format("heddle: {} launch{} in {} ({} KiB); heddle run {} repeats {}\n",
                           launches, launches == 1 ? "" : "es", path, kib, path,
                           launches == 1 ? "it" : "them");
  return code;
}

}  // namespace

void add_capture(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand(
      "capture", "record what a CUDA program asks of the GPU, to run it again without the program");
  auto options = std::make_shared<CaptureOptions>();
  add_run_options(*verb, *options);
  verb->remove_option(verb->get_option("--plot"));
  verb->remove_option(verb->get_option("--out"));
  verb->add_option("-o,--out", options->out, "the capture, FILE.hcap")->type_name("FILE");
  verb->add_option("--launches", options->launches,
                   "only these launches, after an image of the memory before them")
      ->type_name("FIRST-LAST");
  verb->add_option("--images-every", options->images_every,
                   "store an image of the memory every N launches (heddle run --from-launch)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000));
  verb->add_flag("--for-check", options->for_check,
                 "keep allocations apart as heddle check does: heddle check of the capture then "
                 "finds every access outside its allocation");
  verb->add_flag("--timed", options->timed,
                 "simulate the program with timing meanwhile; functionally by default");
  verb->add_option("-s,--scheduler", options->request.scheduler,
                   "with --timed: warp scheduler and its parameters")
      ->type_name("POLICY");
  verb->footer(
      "The capture takes the place of the program in every verb that runs one. Its results are "
      "those of the program, bit for bit "
      "(docs/captures.md#on-other-gpus-and-under-other-policies). PROGRAM may be a capture, too: "
      "--launches cuts it.");
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      lab::RunRequest request = request_of(*verb, *options);
      request.functional = !options->timed;
      request.keep_launches = false;
      request.capture.path = capture_path(options->out, request.program);
      request.capture.images_every = options->images_every;
      if (options->for_check && options->timed)
        throw UserError("--for-check captures functionally: it cannot be combined with --timed");
      request.check.enabled = options->for_check;
      if (!options->launches.empty()) read_launches(options->launches, request.capture);
      return capture(std::move(request), options->quiet);
    };
  });
}

}  // namespace heddle::cli
