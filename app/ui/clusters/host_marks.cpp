#include "app/ui/clusters/host_marks.h"

namespace paceline::clusters {

widgets::StateMark standingMark(HostStanding standing) {
  static constexpr widgets::StateMark kMarks[] = {{"draft", widgets::Token::kTextMuted}, {"running", widgets::Token::kAccent}, {"imported", widgets::Token::kAccent},
                                         {"finished", widgets::Token::kOk},     {"warning", widgets::Token::kWarn},   {"failed", widgets::Token::kBad}};
  return kMarks[static_cast<std::size_t>(standing)];
}

widgets::StateMark checkMark(check::CheckState state) {
  switch (state) {
    case check::CheckState::kWaiting: return {"waiting", widgets::Token::kTextMuted};
    case check::CheckState::kRunning: return standingMark(HostStanding::kChecking);
    case check::CheckState::kGood: return standingMark(HostStanding::kReady);
    case check::CheckState::kWarning: return standingMark(HostStanding::kWarnings);
    case check::CheckState::kBad: return standingMark(HostStanding::kProblem);
    case check::CheckState::kSkipped: break;
  }
  return {"stopped", widgets::Token::kTextMuted};
}

}  // namespace paceline::clusters
