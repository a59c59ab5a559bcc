// The streams that every verb prints to.
#pragma once

namespace heddle::cli {

// Flushes standard output and standard error. Returns the exit code of the command: that of its
// verb, or of an error when something that was printed could not be written; then it says so on
// standard error.
int finish_streams(int exit_code);

}  // namespace heddle::cli
