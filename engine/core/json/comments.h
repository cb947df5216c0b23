// Comments in documents that people write. JSON has none; `paceline new` explains its members in them. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace paceline {

// The text with blanks in the place of `// ...` and `/* ... */` outside of strings: every other byte keeps its line and column for messages. A `/*` that
// does not end stays, for the parser to refuse.
std::string withoutComments(std::string_view text);

}  // namespace paceline
