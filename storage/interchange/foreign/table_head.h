// The first rows of a table (CSV), for who asks a person what its columns are. Any thread.
#pragma once

#include <string>
#include <vector>

#include "storage/interchange/foreign/foreign_run.h"

namespace paceline::interchange {

struct TableHead {
  std::vector<std::string> names;              // of the columns
  std::vector<std::vector<std::string>> rows;  // the first, as they stand
  bool stepKnown = false;                      // the name of a column says that it is the step
};

// Of a text file with columns of numbers that might be a table, whether or not its columns are known; else nothing is in it. Never throws for what the file says.
TableHead tableHead(const std::string& path, const ImportProfile& profile = {}, std::size_t rows = 5);

}  // namespace paceline::interchange
