// The supervisor's own notices.
#pragma once

#include <string>
#include <utility>

#include "engine/core/record/event.h"

namespace paceline::supervise {

inline NoticeRecord noticeOf(std::string kind, std::string text, std::string level, std::string reason = "", std::int64_t code = 0) {
  return {.kind = std::move(kind),
          .text = std::move(text),
          .level = std::move(level),
          .reason = std::move(reason),
          .code = code,
          .unixTime = unixNow()};
}
inline NoticeRecord logOf(std::string text, std::string level) { return noticeOf("log", std::move(text), std::move(level)); }

}  // namespace paceline::supervise
