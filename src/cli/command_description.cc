#include "cli/command_description.h"

#include <CLI/CLI.hpp>

#include "cuda/compile/compile.h"

namespace heddle::cli {
namespace {

// `heddle cc` has nvcc's options, which CLI11 cannot express. They have a table of their own.
void add_compile_options(CommandDescription& command) {
  for (const cuda::CompileOptionInfo& option : cuda::compile_options())
    command.options.push_back({option.names, option.placeholder, option.meaning, "", false});
  command.positionals.push_back({{"FILES"}, "FILE", "sources, objects and libraries", "", false});
}

// CLI11 appends the allowed range: "N:INT in [1 - 1024]".
std::string without_range(const std::string& type) {
  for (const char* range : {":INT in ", ":UINT in "})
    if (const auto at = type.find(range); at != std::string::npos) return type.substr(0, at);
  return type;
}

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription description;
  if (option.get_positional()) description.names.push_back(option.get_name());
  for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
  description.meaning = option.get_description();
  description.default_value = option.get_default_str();
  description.optional_value =
      option.get_items_expected_max() > 0 && option.get_items_expected_min() == 0;
  if (option.get_items_expected_max() > 0)
    description.value = without_range(option.get_type_name());
  return description;
}

CommandDescription describe(const CLI::App& app, const std::string& name) {
  CommandDescription command;
  command.name = name;
  command.meaning = app.get_description();
  command.notes = app.get_footer();
  command.runs_program = app.get_prefix_command();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden: an old name
    auto& list = option->get_positional() ? command.positionals : command.options;
    list.push_back(describe_option(*option));
  }
  if (name == "heddle cc") add_compile_options(command);
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (verb->get_group().empty()) continue;  // hidden: started by Heddle
    command.verbs.push_back(describe(*verb, name + " " + verb->get_name()));
  }
  return command;
}

}  // namespace

CommandDescription describe_command(const CLI::App& app) { return describe(app, app.get_name()); }

}  // namespace heddle::cli
