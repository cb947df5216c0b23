#include "app/ui/clusters/host_marks.h"

namespace paceline::clusters {

widgets::StateMark standingMark(HostStanding standing) {
  switch (standing) {
    case HostStanding::kNotChecked: return {"draft", widgets::Token::kTextMuted};
    case HostStanding::kChecking: return {"running", widgets::Token::kAccent};
    case HostStanding::kDeploying: return {"imported", widgets::Token::kAccent};
    case HostStanding::kReady: return {"finished", widgets::Token::kOk};
    case HostStanding::kWarnings: return {"warning", widgets::Token::kWarn};
    case HostStanding::kProblem: return {"failed", widgets::Token::kBad};
  }
  return {"draft", widgets::Token::kTextMuted};
}

widgets::StateMark checkMark(check::CheckState state) {
  switch (state) {
    case check::CheckState::kWaiting: return {"waiting", widgets::Token::kTextMuted};
    case check::CheckState::kRunning: return {"running", widgets::Token::kAccent};
    case check::CheckState::kGood: return {"finished", widgets::Token::kOk};
    case check::CheckState::kWarning: return {"warning", widgets::Token::kWarn};
    case check::CheckState::kBad: return {"failed", widgets::Token::kBad};
    case check::CheckState::kSkipped: return {"stopped", widgets::Token::kTextMuted};
  }
  return {"stopped", widgets::Token::kTextMuted};
}

}  // namespace paceline::clusters
