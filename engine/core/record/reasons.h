// Reasons of notices (NoticeRecord::reason), names of metrics and ends of errors that programs which know nothing else of each other must spell alike.
#pragma once

namespace paceline {

inline constexpr const char* kParametersReason = "parameters";  // of the coordinator's last note: the SHA-256 of its parameters
// A metric of another process of a lost worker, with its number (".2"), of the round behind which it begins: the samples that count as its own by then.
inline constexpr const char* kTakesPartAgain = "takes_part_again_samples.";
inline constexpr const char* kDiverged = "training has diverged";  // the last words where a number of the training became none

}  // namespace paceline
