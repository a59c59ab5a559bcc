#include "lab/captured_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "lab/store/run_record.h"

namespace heddle::lab {

namespace fs = std::filesystem;

CapturedProgram capture_program(RunRequest request, const std::string& folder,
                                const ReportProgress& report_progress) {
  const std::string name = request.program[0];
  const Program found = inspect_program(name);
  if (found.traced)
    throw UserError("'" + name + "' is a list of traces: captures of programs are needed");
  CapturedProgram captured;
  if (!found.capture.empty()) {
    const PreparedRun checked(request);  // a capture takes no arguments
    captured.path = fs::absolute(name).lexically_normal().string();
    return captured;
  }
  // What does not change the capture has its default: runs under other policies find it.
  const RunRequest defaults;
  request.scheduler = defaults.scheduler;
  request.cta_scheduler = defaults.cta_scheduler;
  request.share = defaults.share;
  request.watch = defaults.watch;
  request.functional = true;
  captured.path =
      fmt::format("{}/{}-{}.hcap", folder, fs::path(name).filename().string(),
                  content_hash(PreparedRun(request).spec().to_json() + file_hash(found.path)));
  if (fs::exists(captured.path)) return captured;
  if (report_progress) report_progress("capturing " + name);
  request.capture.path = fmt::format("{}.{}", captured.path, getpid());
  const RunOutcome outcome = run_program(PreparedRun(request));
  captured.is_new = true;
  captured.exit_code = outcome.interrupting_signal ? kKilledBySignal + outcome.interrupting_signal
                                                   : outcome.exit_code();
  if (captured.exit_code != 0)
    captured.failure = fmt::format("{} failed while it was captured: {}", name,
                                   !outcome.problem.empty()       ? outcome.problem
                                   : !outcome.lost_output.empty() ? outcome.lost_output
                                                                  : describe(outcome.ending));
  else
    fs::rename(request.capture.path, captured.path);
  return captured;
}

}  // namespace heddle::lab
