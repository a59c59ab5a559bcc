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

# _heddle_value KIND: completes the value of an option. KIND,... is a list of values.
_heddle_value() {
  local words before=
  words=$(_heddle_words "$1")
  case $1 in
    *,...)
      [[ $cur == *,* ]] && before=${cur%,*},
      COMPREPLY=($(compgen -P "$before" -W "$words" -- "${cur##*,}")) ;;
    *=VALUE)
      compopt -o nospace 2>/dev/null
      COMPREPLY=($(compgen -S = -W "$words" -- "$cur")) ;;
    GPU) COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -X '!*.toml' -- "$cur")) ;;
    DIR) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    *FILE*|PAGE|VALUE|PROGRAM) _heddle_files ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}

_heddle() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=heddle word kind i
  COMPREPLY=()
  # Bash splits --option=value at the sign, unless COMP_WORDBREAKS has none.
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
  if [[ $cur == --*=* ]]; then
    word=${cur%%=*}=
    kind=$(_heddle_kind "$command" "${word%=}")
    cur=${cur#*=}
    _heddle_value "$kind"
    COMPREPLY=("${COMPREPLY[@]/#/$word}")
    return
  fi
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

// The blank: without further arguments of _arguments.
std::string zsh_action(const std::string& kind) { return " _heddle_value \"" + kind + "\""; }

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

// As _heddle_value of bash.
constexpr const char* kZshFunctions = R"(
_heddle_value() {
  local -a values=(${=$(_heddle_words "$1")})
  case $1 in
    *,...) compset -P '*,'; compadd -S '' -a values ;;
    *=VALUE) compadd -S '=' -a values ;;
    GPU) compadd -a values; _files -g '*.toml' ;;
    DIR) _files -/ ;;
    *FILE*|PAGE|VALUE|PROGRAM) _files ;;
    *) compadd -a values ;;
  esac
}
)";

// _heddle_words KIND, for both shells.
std::string words_function(const CommandDescription& heddle, std::vector<ValueKind> kinds) {
  for_each_command(heddle, [&](const CommandDescription& command) {
    for (const OptionDescription& option : command.options) {
      // "EXECUTOR:{local,slurm}"
      const std::size_t open = option.value.find(":{");
      if (open == std::string::npos) continue;
      std::string words = option.value.substr(open + 2, option.value.find('}') - open - 2);
      std::replace(words.begin(), words.end(), ',', ' ');
      kinds.push_back({option.value, {words}});
    }
  });
  kinds.push_back({"VERB", verbs_of(heddle)});
  std::string text = "_heddle_words() {\n  case $1 in\n";
  Texts known;
  for (const ValueKind& kind : kinds) {
    if (std::find(known.begin(), known.end(), kind.name) != known.end()) continue;
    known.push_back(kind.name);
    text += fmt::format("    '{}') printf '%s\\n' '{}' ;;\n", kind.name, joined(kind.words));
  }
  return text + "  esac\n}\n";
}

}  // namespace

std::string bash_completion(const CommandDescription& heddle, const std::vector<ValueKind>& kinds) {
  std::string text = "# Completion of heddle for bash; made by `heddle completion bash`.\n";
  text += words_function(heddle, kinds);
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

std::string zsh_completion(const CommandDescription& heddle, const std::vector<ValueKind>& kinds) {
  std::string text =
      "#compdef heddle\n# Completion of heddle for zsh; made by `heddle completion "
      "zsh`.\n";
  text += words_function(heddle, kinds) + kZshFunctions;
  text += "\n_heddle() {\n  local -a verbs=(\n";
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
