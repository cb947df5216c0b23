// A document and a store give a report. One thread (that of the records).
#pragma once

#include <stop_token>

#include "app/report/records.h"

namespace paceline::report {

struct Making {                // what the footer says of how it was made
  std::string file{};          // the report's; its name alone is told
  std::string output{};        // likewise; "": it is only shown
  double madeUtc = 0;
  std::string store{};         // path, where it is not the default one; its name alone is told
};

// What could not be read is a problem, and a piece that says so. Throws Error{kStore} where the store itself cannot be read.
Report resolved(const Document& document, Records& records, const Titles& titles, const Making& making, const std::stop_token& stop = {});

// The same for files: throws Error{kSpec} "waits.report.md: line 7: ..., and 2 more" where there is a problem.
void refuseProblems(const std::string& file, const Report& report);

// A report to begin with: the setup, what differs, results, accuracy, time to the target, lanes.
std::string starter(const Summaries& runs, const Titles& titles);

}  // namespace paceline::report
