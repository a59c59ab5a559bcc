#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace heddle::cli {
namespace {

using Texts = std::vector<std::string>;

std::string joined(const Texts& texts, const char* between = " ") {
  return fmt::format("{}", fmt::join(texts, between));
}

Texts verbs_of(const CommandDescription& command) {
  Texts names;
  for (const CommandDescription& verb : command.verbs) names.push_back(verb.verb());
  return names;
}

Texts options_of(const CommandDescription& command) {
  Texts names;
  for (const OptionDescription& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

void for_each_command(const CommandDescription& command,
                      const std::function<void(const CommandDescription&)>& use) {
  use(command);
  for (const CommandDescription& verb : command.verbs) for_each_command(verb, use);
}

// Follows the tables that bash_completion() prints. The kinds of values are those in --help.
constexpr const char* kBashFunctions = R"sh(
_heddle_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); }

# _heddle_list WORDS: completes the last item of a list with commas.
_heddle_list() {
  local before=
  [[ $cur == *,* ]] && before=${cur%,*},
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
}

# _heddle_value KIND: completes the value of an option.
_heddle_value() {
  local words
  case $1 in
    GPU)
      COMPREPLY=($(compgen -W "$_heddle_gpus" -- "$cur") $(compgen -f -X '!*.toml' -- "$cur")) ;;
    POLICY) COMPREPLY=($(compgen -W "$_heddle_schedulers" -- "$cur")) ;;
    POLICY,...) _heddle_list "$_heddle_schedulers all" ;;
    CTA_POLICY) COMPREPLY=($(compgen -W "$_heddle_cta_schedulers" -- "$cur")) ;;
    CTA_POLICY,...) _heddle_list "$_heddle_cta_schedulers all" ;;
    SHARE_POLICY) COMPREPLY=($(compgen -W "$_heddle_shares" -- "$cur")) ;;
    SHARE_POLICY,...) _heddle_list "$_heddle_shares" ;;
    PAPER) COMPREPLY=($(compgen -W "$_heddle_papers" -- "$cur")) ;;
    SUITE) COMPREPLY=($(compgen -W "$_heddle_suites" -- "$cur")) ;;
    *:\{*\})
      words=${1#*\{} words=${words%\}}
      COMPREPLY=($(compgen -W "${words//,/ }" -- "$cur")) ;;
    TOOL,...) _heddle_list "memory races init barriers" ;;
    KEY=VALUE)
      compopt -o nospace 2>/dev/null
      COMPREPLY=($(compgen -S = -W "$_heddle_parameters" -- "$cur")) ;;
    SHELL) COMPREPLY=($(compgen -W "bash zsh" -- "$cur")) ;;
    VERB) COMPREPLY=($(compgen -W "$_heddle_verbs" -- "$cur")) ;;
    DIR) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    *FILE*|PAGE|VALUE|PROGRAM) _heddle_files ;;
  esac
}

_heddle() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=heddle word kind i
  COMPREPLY=()
  # Bash splits --option=value at the sign.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ " $(_heddle_verbs_of "$command") " == *" $word "* ]]; then
      command+=" $word"
    elif [[ $word == = ]]; then
      ((++i))
    elif [[ $word == -* ]]; then
      [[ -n $(_heddle_kind "$command" "$word") && ${COMP_WORDS[i+1]} != = ]] && ((++i))
    elif [[ -n $(_heddle_program "$command") ]]; then
      _heddle_files  # the arguments of the program
      return
    fi
  done
  kind=$(_heddle_kind "$command" "$prev")
  if [[ -n $kind ]]; then _heddle_value "$kind"; return; fi
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(_heddle_options_of "$command")" -- "$cur"))
    return
  fi
  word=$(_heddle_verbs_of "$command")
  _heddle_value "$(_heddle_positional "$command")"
  [[ -n $word ]] && COMPREPLY+=($(compgen -W "$word" -- "$cur"))
}
complete -F _heddle heddle
)sh";

// A shell function that prints one word per command.
std::string bash_function(const char* name, const CommandDescription& heddle,
                          const std::function<std::string(const CommandDescription&)>& value) {
  std::string text = fmt::format("{}() {{\n  case $1 in\n", name);
  for_each_command(heddle, [&](const CommandDescription& command) {
    if (const std::string words = value(command); !words.empty())
      text += fmt::format("    '{}') printf '%s\\n' '{}' ;;\n", command.name, words);
  });
  return text + "  esac\n}\n";
}

std::string bash_kinds(const CommandDescription& heddle) {
  std::string text =
      "# _heddle_kind COMMAND OPTION: what the option takes.\n_heddle_kind() {\n"
      "  case \"$1 $2\" in\n";
  for_each_command(heddle, [&](const CommandDescription& command) {
    for (const OptionDescription& option : command.options) {
      if (!option.takes_value()) continue;
      Texts patterns;
      for (const std::string& name : option.names)
        patterns.push_back("'" + command.name + " " + name + "'");
      text += fmt::format("    {}) printf '%s\\n' '{}' ;;\n", joined(patterns, "|"), option.value);
    }
  });
  return text + "  esac\n}\n";
}

std::string positional_kind(const CommandDescription& command) {
  if (command.runs_program) return "PROGRAM";
  return command.positionals.empty() ? "" : command.positionals.front().value;
}

std::string zsh_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (c == '[' || c == ']' || c == ':')
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

// The function that completes a kind of value.
std::string zsh_action(const std::string& kind) {
  if (const auto at = kind.find(":{"); at != std::string::npos) {
    std::string words = kind.substr(at + 2, kind.find('}') - at - 2);
    std::replace(words.begin(), words.end(), ',', ' ');
    return "(" + words + ")";
  }
  if (kind == "SHARE_POLICY") return "_heddle_shares";
  if (kind == "SHARE_POLICY,...") return "_heddle_share_list";
  if (kind == "PAPER") return "_heddle_papers";
  if (kind == "SUITE") return "_heddle_suites";
  if (kind == "GPU") return "_heddle_gpus";
  if (kind == "POLICY") return "_heddle_schedulers";
  if (kind == "POLICY,...") return "_heddle_scheduler_list";
  if (kind == "CTA_POLICY") return "_heddle_cta_schedulers";
  if (kind == "CTA_POLICY,...") return "_heddle_cta_scheduler_list";
  if (kind == "TOOL,...") return "_values -s , tool memory races init barriers";
  if (kind == "KEY=VALUE") return "_heddle_parameters";
  if (kind == "SHELL") return "(bash zsh)";
  if (kind == "VERB") return "_heddle_verbs";
  if (kind == "DIR") return "_files -/";
  const bool file = kind.find("FILE") != std::string::npos || kind == "PAGE" || kind == "VALUE" ||
                    kind == "PROGRAM";
  return file ? "_files" : " ";
}

std::string zsh_option(const OptionDescription& option) {
  Texts forms = option.names;  // --gpu= stands for `--gpu X` and `--gpu=X`
  for (std::string& name : forms)
    if (option.takes_value() && name.starts_with("--")) name += "=";
  const std::string names = forms.size() == 1 ? "'" + forms[0] : "{" + joined(forms, ",") + "}'";
  std::string text = "'*'" + names + "[" + zsh_escaped(option.meaning) + "]";
  if (option.takes_value())
    text += ":" + zsh_escaped(option.value) + ":" + zsh_action(option.value);
  return text + "'";
}

std::string zsh_arguments(const CommandDescription& command) {
  std::string text = "_arguments -S -A '-*'";
  for (const OptionDescription& option : command.options)
    text += " \\\n        " + zsh_option(option);
  if (command.runs_program)
    text += " \\\n        ':program:_files' '*:argument:_files'";
  else if (!command.verbs.empty())
    text += fmt::format(" \\\n        ':what:{{_alternative \"verb:verb:({})\"{}}}' '*: : '",
                        joined(verbs_of(command)),
                        positional_kind(command).empty()
                            ? ""
                            : " \"value:value:" + zsh_action(positional_kind(command)) + "\"");
  else if (const std::string kind = positional_kind(command); !kind.empty())
    text += fmt::format(" \\\n        '*:{}:{}'", zsh_escaped(kind), zsh_action(kind));
  return text;
}

constexpr const char* kZshFunctions = R"(
_heddle_gpus() { compadd -a gpus; _files -g '*.toml' }
_heddle_schedulers() { compadd -a schedulers }
_heddle_scheduler_list() { compset -P '*,'; compadd -S '' -a schedulers; compadd -S '' all }
_heddle_cta_schedulers() { compadd -a cta_schedulers }
_heddle_cta_scheduler_list() {
  compset -P '*,'; compadd -S '' -a cta_schedulers; compadd -S '' all
}
_heddle_shares() { compadd -a shares }
_heddle_share_list() { compset -P '*,'; compadd -S '' -a shares }
_heddle_papers() { compadd -a papers }
_heddle_suites() { compadd -a suites }
_heddle_parameters() { compadd -S '=' -a parameters }
_heddle_verbs() { _describe verb verbs }
)";

}  // namespace

std::string bash_completion(const CommandDescription& heddle, const CompletionNames& names) {
  std::string text = "# Completion of heddle for bash; made by `heddle completion bash`.\n";
  text += fmt::format(
      "_heddle_gpus='{}'\n_heddle_schedulers='{}'\n_heddle_cta_schedulers='{}'\n"
      "_heddle_shares='{}'\n_heddle_papers='{}'\n_heddle_suites='{}'\n"
      "_heddle_parameters='{}'\n_heddle_verbs='{}'\n\n",
      joined(names.gpus), joined(names.schedulers), joined(names.cta_schedulers),
      joined(names.shares), joined(names.papers), joined(names.suites), joined(names.parameters),
      joined(verbs_of(heddle)));
  text += bash_function("_heddle_verbs_of", heddle,
                        [](const auto& command) { return joined(verbs_of(command)); });
  text += bash_function("_heddle_options_of", heddle,
                        [](const auto& command) { return joined(options_of(command)); });
  text += bash_function("_heddle_positional", heddle, positional_kind);
  text += bash_function("_heddle_program", heddle, [](const auto& command) {
    return std::string(command.runs_program ? "yes" : "");
  });
  return text + bash_kinds(heddle) + kBashFunctions;
}

std::string zsh_completion(const CommandDescription& heddle, const CompletionNames& names) {
  std::string text =
      "#compdef heddle\n# Completion of heddle for zsh; made by `heddle completion "
      "zsh`.\n";
  text += kZshFunctions;
  text += fmt::format(
      "\n_heddle() {{\n  local -a gpus=({}) schedulers=({}) cta_schedulers=({})\n  local -a "
      "shares=({}) papers=({}) suites=({}) parameters=({})\n  local -a verbs=(\n",
      joined(names.gpus), joined(names.schedulers), joined(names.cta_schedulers),
      joined(names.shares), joined(names.papers), joined(names.suites), joined(names.parameters));
  for (const CommandDescription& verb : heddle.verbs)
    text += "    '" + verb.verb() + ":" + zsh_escaped(verb.meaning) + "'\n";
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    _arguments -S";
  for (const OptionDescription& option : heddle.options) text += " " + zsh_option(option);
  text +=
      "\n    return\n  fi\n  local verb=$words[2]\n  shift words; (( CURRENT-- ))\n"
      "  case $verb in\n";
  for (const CommandDescription& verb : heddle.verbs)
    text += fmt::format("    {}) {} ;;\n", verb.verb(), zsh_arguments(verb));
  return text + "  esac\n}\n_heddle \"$@\"\n";
}

}  // namespace heddle::cli
