#include "cli/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace heddle::cli {
namespace {

// A text in which roff finds nothing to interpret.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
  return result;
}

// "heddle-run"
std::string page_name(const CommandDescription& command) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string synopsis(const CommandDescription& command) {
  std::string text = "\\fB" + escaped(command.name) + "\\fR";
  if (!command.options.empty()) text += " [\\fIOPTIONS\\fR]";
  if (!command.verbs.empty()) text += " \\fIVERB\\fR [\\fIARGUMENTS\\fR...]";
  for (const OptionDescription& positional : command.positionals)
    text += " \\fI" + escaped(positional.names.front()) + "\\fR";
  if (command.runs_program) text += " \\fIPROGRAM\\fR [\\fIARGUMENTS\\fR...]";
  return text;
}

std::string option_entry(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + ("\\fB" + escaped(name) + "\\fR");
  if (!option.value.empty()) names += " \\fI" + escaped(option.value) + "\\fR";
  std::string text = ".TP\n" + names + "\n" + escaped(option.meaning);
  if (!option.default_value.empty()) text += " (default: " + escaped(option.default_value) + ")";
  return text + "\n";
}

std::string option_entries(const char* title, const std::vector<OptionDescription>& options) {
  if (options.empty()) return {};
  std::string text = fmt::format(".SH {}\n", title);
  for (const OptionDescription& option : options) text += option_entry(option);
  return text;
}

// Indented lines are commands and keep their shape; others are prose.
std::string notes_text(const std::string& notes) {
  std::string text;
  bool example = false;
  std::istringstream lines(notes);
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("  ");
    if (indented && !example) text += ".PP\n.nf\n";
    if (!indented && example) text += ".fi\n";
    example = indented;
    text += line.empty() ? ".PP\n" : escaped(line) + "\n";
    if (!indented && !line.empty()) text += ".br\n";
  }
  return example ? text + ".fi\n" : text;
}

// The last paragraph of the notes is a section of its own where it has only commands.
std::string notes_sections(const std::string& notes) {
  const auto blank = notes.rfind("\n\n");
  const std::string last = blank == std::string::npos ? notes : notes.substr(blank + 2);
  bool commands = true;
  std::istringstream lines(last);
  for (std::string line; std::getline(lines, line);) commands = commands && line.starts_with("  ");
  if (!commands) return ".SH NOTES\n" + notes_text(notes);
  const std::string before = blank == std::string::npos ? "" : notes.substr(0, blank);
  return (before.empty() ? "" : ".SH NOTES\n" + notes_text(before)) + ".SH EXAMPLES\n" +
         notes_text(last);
}

std::string verb_entries(const CommandDescription& command) {
  if (command.verbs.empty()) return {};
  std::string text = ".SH VERBS\n";
  for (const CommandDescription& verb : command.verbs) {
    text += ".TP\n\\fB" + escaped(verb.verb()) + "\\fR\n" + escaped(verb.meaning) + "\n";
    if (command.name == "heddle") continue;  // verbs of heddle have pages of their own
    for (const OptionDescription& option : verb.options)
      if (option.names.back() != "--help") text += ".RS\n" + option_entry(option) + ".RE\n";
  }
  return text;
}

std::string related_pages(const CommandDescription& command) {
  std::string text = ".SH SEE ALSO\n";
  if (command.name != "heddle") return text + ".BR heddle (1)\n";
  for (std::size_t i = 0; i < command.verbs.size(); ++i)
    text += fmt::format(".BR {} (1){}\n", escaped(page_name(command.verbs[i])),
                        i + 1 < command.verbs.size() ? "," : "");
  return text;
}

}  // namespace

std::string manual_file(const CommandDescription& command) { return page_name(command) + ".1"; }

std::string manual_page(const CommandDescription& command) {
  std::string title = page_name(command);
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = fmt::format(".TH {} 1 \"\" \"Heddle {}\" \"Heddle manual\"\n", escaped(title),
                                 HEDDLE_VERSION);
  text +=
      ".nh\n.SH NAME\n" + escaped(page_name(command)) + " \\- " + escaped(command.meaning) + "\n";
  text += ".SH SYNOPSIS\n" + synopsis(command) + "\n";
  text += option_entries("ARGUMENTS", command.positionals) + verb_entries(command) +
          option_entries("OPTIONS", command.options);
  if (!command.notes.empty()) text += notes_sections(command.notes);
  return text + related_pages(command);
}

}  // namespace heddle::cli
