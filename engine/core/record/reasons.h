// Reasons of notices (NoticeRecord::reason) that programs which know nothing else of each other must spell alike.
#pragma once

namespace paceline {

inline constexpr const char* kParametersReason = "parameters";  // of the coordinator's last note: the SHA-256 of its parameters

}  // namespace paceline
