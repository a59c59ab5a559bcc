#include "cuda/compile/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/diagnostics.h"

extern char** environ;

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
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!errors.empty())
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw UserError("cannot run " + command.front() + ": " + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw UserError("lost " + command.front() + ": " + std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int CommandRunner::status_of(const Command& command, const std::string& errors) const {
  if (dry_ || verbose_) std::fprintf(stderr, "%s%s\n", dry_ ? "#$ " : "", shown(command).c_str());
  return dry_ ? 0 : run(command, errors);
}

}  // namespace heddle::cuda
