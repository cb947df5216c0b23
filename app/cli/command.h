// The families of commands. Each adds its subcommands to the parser; a subcommand's callback does the work on the main thread,
// writes its document to stdout and throws Error, which main turns into one line on stderr and the exit code.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace paceline::cli {

struct Shared {
  std::string store;  // path of the database; never empty after parsing
  int exit = 0;       // what main returns when nothing was thrown
};

void addRunCommands(CLI::App& app, Shared& shared);  // run, simulate
void addValidateCommand(CLI::App& app, Shared& shared);
void addCatalogCommand(CLI::App& app, Shared& shared);
void addRunsCommands(CLI::App& app, Shared& shared);  // runs, show, diff
void addSummaryCommand(CLI::App& app, Shared& shared);
void addWhyCommand(CLI::App& app, Shared& shared);
void addPredictCommand(CLI::App& app, Shared& shared);
void addReplayCommand(CLI::App& app, Shared& shared);  // replay
void addTrafficCommand(CLI::App& app, Shared& shared);
void addVerifyCommand(CLI::App& app, Shared& shared);
void addFigureCommand(CLI::App& app, Shared& shared);
void addReportCommand(CLI::App& app, Shared& shared);
void addInteropCommands(CLI::App& app, Shared& shared);  // import, export
void addControlCommands(CLI::App& app, Shared& shared);  // stop, attach, resume
void addRecorderCommands(CLI::App& app, Shared& shared);  // recorder
void addQueueCommands(CLI::App& app, Shared& shared);     // queue
void addSearchCommand(CLI::App& app, Shared& shared);     // search
void addTrashCommands(CLI::App& app, Shared& shared);    // rm, restore, purge
void addTextCommands(CLI::App& app, Shared& shared);     // tag, note, rename
void addStorageCommand(CLI::App& app, Shared& shared);
void addBackupCommand(CLI::App& app, Shared& shared);
void addNoticesCommand(CLI::App& app, Shared& shared);
void addHostsCommand(CLI::App& app, Shared& shared);
void addClusterCommand(CLI::App& app, Shared& shared);  // cluster import, cluster export
void addDataCommand(CLI::App& app, Shared& shared);  // data list, check, look, download
void addModelCommand(CLI::App& app, Shared& shared);  // model check, trust
void addNewCommand(CLI::App& app, Shared& shared);
void addCompletionCommand(CLI::App& app, Shared& shared);
void addGuiCommand(CLI::App& app, Shared& shared);

}  // namespace paceline::cli
