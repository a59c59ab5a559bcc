// A program as a capture, which takes its place in several runs.
#pragma once

#include <string>

#include "lab/compare.h"
#include "lab/run.h"

namespace heddle::lab {

struct CapturedProgram {
  std::string path;     // of the capture
  bool is_new = false;  // the program has run now
  std::string failure;  // of the program, in one line; empty: it has not failed
  int exit_code = 0;    // with which such a run ends
};

// The request's program itself when it is a capture. Otherwise it runs functionally and is captured
// into the folder, unless the folder has its capture, which other GPUs, program files and arguments
// do not share. Throws UserError for a list of traces, and for a capture with arguments.
CapturedProgram capture_program(RunRequest request, const std::string& folder,
                                const ReportProgress& report_progress);

}  // namespace heddle::lab
