// Reports as files. GUI thread (a QApplication must exist; offscreen will do).
#pragma once

#include <memory>

#include <QStringList>

#include "app/ui/report/report_pictures.h"

namespace paceline::reports {

// By the ending of `path`: .html, .tex or .pdf. Sets the pictures to this report. Throws Error{kUsage} for another ending, Error{kFile, kNoSpace}.
void writeReport(const QString& path, const std::shared_ptr<const report::Report>& report, ReportPictures& pictures);

// paceline-workbench report FILE -o OUT --store STORE: what `paceline report` runs for HTML and PDF.
int reportCommand(const QStringList& arguments);  // after "report"; 0, 1 or 2 (usage), with one line on stderr

}  // namespace paceline::reports
