// Grabs every page of a window into PNG files: to look at, and for the README. GUI thread.
#pragma once

#include <QString>

namespace paceline {

class MainWindow;

// Waits for the background answers, walks through the pages and writes DIR/<page>-<light|dark>.png in both themes. Returns 0, or 1 when a
// file cannot be written.
int takeScreenshots(MainWindow& window, const QString& folder);

}  // namespace paceline
