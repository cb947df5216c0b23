// `paceline-agent clock`: answers every line on stdin with this host's clocks, {"unix_s": n, "monotonic_s": n}, so that the desktop can tell the
// offset of its own clock from round trips. Ends with stdin.
#pragma once

namespace paceline::probe {

void answerClock();

}  // namespace paceline::probe
