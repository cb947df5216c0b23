// Pieces of messages: pointers, quotations, lists. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paceline {

// "/nodes" + "a/b" -> "/nodes/a~1b"
std::string pointerTo(const std::string& parent, std::string_view token);
inline std::string pointerTo(const std::string& parent, std::size_t index) { return parent + "/" + std::to_string(index); }

// At most `limit` bytes of text as one printable line: control characters and malformed UTF-8 become '?'.
std::string quotable(std::string_view text, std::size_t limit = 60);

std::string lowerCase(std::string_view text);   // of ASCII letters
std::string trimmedEnd(std::string_view text);  // without white space at its end
std::string lastLine(std::string_view text);    // that has more than white space; "": none

// "a, b, c"; "none" when there is nothing.
std::string listed(const std::vector<std::string>& items);

}  // namespace paceline
