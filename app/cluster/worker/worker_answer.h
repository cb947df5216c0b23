// Asks paceline-worker on this computer one question (describe, data, split). One thread.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace paceline::worker {

// All of its stdout, after `input` on its stdin. `worker` is the program's path. Throws Error{kHost} with what it said when it fails or takes longer than `seconds`.
std::string workerAnswer(const std::string& worker, const std::vector<std::string>& arguments, double seconds, std::stop_token stop = {},
                         const std::string& input = {});

}  // namespace paceline::worker
