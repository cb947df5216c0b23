// paceline completion SHELL. The scripts ask the program itself, so that they know what it knows: `paceline __complete WORD...`.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/help/completion.h"

namespace paceline::cli {
namespace {

constexpr const char* kBash = R"(# Bash completion for paceline: source <(paceline completion bash)
_paceline() {
  local current=${COMP_WORDS[COMP_CWORD]} line
  [ "$current" != = ] || current=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current") ;;
      :folders) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$current") ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${1/#\~/$HOME}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _paceline paceline
)";

constexpr const char* kZsh = R"(#compdef paceline
# Zsh completion for paceline: a file _paceline in a folder of $fpath, or source <(paceline completion zsh)
_paceline() {
  local -a candidates
  local line paths=
  while IFS= read -r line; do
    case $line in
      :files) paths=files ;;
      :folders) paths=folders ;;
      *$'\t'*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *) candidates+=("${line//:/\\:}") ;;
    esac
  done < <("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#candidates )) && _describe paceline candidates
  case $paths in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [ "${funcstack[1]}" = _paceline ]; then _paceline "$@"; else compdef _paceline paceline; fi
)";

constexpr const char* kFish = R"fish(# Fish completion for paceline: paceline completion fish | source
function __paceline_complete
  set -l words (commandline -opc)
  for line in ($words[1] __complete $words[2..-1] "$(commandline -ct)" 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path (commandline -ct)
      case :folders
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c paceline -f -a '(__paceline_complete)'
)fish";

}  // namespace

std::string completionScript(const std::string& shell) { return shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish; }

void addCompletionCommand(CLI::App& app, Shared&) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Prints what makes a shell complete commands, options, runs, suites, hosts and figures: source <(paceline completion bash).");
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell] { std::cout << completionScript(*shell); });
}

}  // namespace paceline::cli
