#include "cuda/compile/process.h"

#include <cstdio>

#include "base/process_group.h"

namespace heddle::cuda {

std::string shown(const Command& command) {
  std::string text;
  for (const auto& word : command) {
    if (!text.empty()) text += ' ';
    const bool plain =
        !word.empty() && word.find_first_of(" \t\n\"'\\$&|;<>()*?`#~") == std::string::npos;
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

int run(const Command& command, const std::string& errors) {
  ProcessGroup group;
  group.start({command, {}, {}, errors});
  const Ending ending = group.wait_any().ending;
  if (group.interrupted()) throw Interruption{group.interrupted()};
  return ending.signal ? kKilledBySignal + ending.signal : ending.exit_code;
}

int CommandRunner::status_of(const Command& command, const std::string& errors) const {
  if (dry_ || verbose_) std::fprintf(stderr, "%s%s\n", dry_ ? "#$ " : "", shown(command).c_str());
  return dry_ ? 0 : run(command, errors);
}

}  // namespace heddle::cuda
