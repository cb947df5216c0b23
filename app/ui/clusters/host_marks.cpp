#include "app/ui/clusters/host_marks.h"

namespace paceline {

StateMark standingMark(HostStanding standing) {
  switch (standing) {
    case HostStanding::kNotChecked: return {"draft", Token::kTextMuted};
    case HostStanding::kChecking: return {"running", Token::kAccent};
    case HostStanding::kDeploying: return {"imported", Token::kAccent};
    case HostStanding::kReady: return {"finished", Token::kOk};
    case HostStanding::kWarnings: return {"warning", Token::kWarn};
    case HostStanding::kProblem: return {"failed", Token::kBad};
  }
  return {"draft", Token::kTextMuted};
}

StateMark checkMark(CheckState state) {
  switch (state) {
    case CheckState::kWaiting: return {"waiting", Token::kTextMuted};
    case CheckState::kRunning: return {"running", Token::kAccent};
    case CheckState::kGood: return {"finished", Token::kOk};
    case CheckState::kWarning: return {"warning", Token::kWarn};
    case CheckState::kBad: return {"failed", Token::kBad};
    case CheckState::kSkipped: return {"stopped", Token::kTextMuted};
  }
  return {"stopped", Token::kTextMuted};
}

}  // namespace paceline
