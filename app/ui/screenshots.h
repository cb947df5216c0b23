// Pictures of every page: `paceline-workbench --screenshot`. GUI thread.
#pragma once

#include <functional>

#include <QString>

namespace paceline {

class MainWindow;

// Grabs every page into DIR/<page>-<light|dark>.png in both themes: to look at, and for the README. Waits for the background answers. 0, or 1
// when a file cannot be written.
int takeScreenshots(MainWindow& window, const QString& folder);

// Runs the event loop, asleep between events, until `done`; false: not within the time.
bool await(const std::function<bool()>& done, int mostMs);
// Until what the window shows is complete: no task is under way, no change waits to be validated.
bool settle(MainWindow& window, int mostMs);

}  // namespace paceline
