// The command line as values, read from its CLI11 definition. Completion scripts and manual pages
// are made from this.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace heddle::cli {

struct OptionDescription {
  std::vector<std::string> names;  // "-g", "--gpu"; of a positional: its name only
  std::string value;               // what it takes: "GPU"; empty: a flag
  std::string meaning, default_value;
  bool optional_value = false;  // `--plot` and `--plot FILE`

  bool takes_value() const { return !value.empty() && !optional_value; }
};

struct CommandDescription {
  std::string name;  // "heddle", "heddle run", "heddle list gpus"
  std::string meaning;
  std::string notes;  // the text after the options in --help
  std::vector<OptionDescription> options, positionals;
  std::vector<CommandDescription> verbs;
  bool runs_program = false;  // PROGRAM [ARGUMENTS...] follow the options

  std::string verb() const { return name.substr(name.rfind(' ') + 1); }
};

CommandDescription describe_command(const CLI::App& app);

}  // namespace heddle::cli
