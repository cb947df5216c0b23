// A report on white paper: as a text document for the window, and as PDF; English as every file that is written. GUI thread.
#pragma once

#include <QByteArray>
#include <QTextDocument>

#include "app/ui/report/report_pictures.h"

namespace paceline::reports {

// Sets fonts and colours of paper, whatever the window's theme is.
void preparePaper(QTextDocument& document, ReportPictures& pictures);
// Replaces what is in the document. Blocks know the line of the report's text that they come from (userState()). Picture numbers are those of ReportPictures::setReport().
void fillPaper(QTextDocument& document, const report::Report& report);

void keepTogether(QTextDocument& document);  // of a document with pages: breaks before what must not stand apart

// A4; vectors all through. A heading is on the page of what follows it, a picture on that of its caption. `report` is what the pictures were set to.
QByteArray pdfOf(const report::Report& report, ReportPictures& pictures);

}  // namespace paceline::reports
