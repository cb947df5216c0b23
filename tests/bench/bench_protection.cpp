// What protecting the data of a run costs, and what a private socket saves: parameter-server rounds of 44.7 MB in frames of 512 kB, in turn.
#include "engine/comm/zmq/aead.h"
#include "engine/core/base/error.h"
#include "tests/bench/bench.h"
#include "tests/bench/ps_round.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr int kTurns = 3;

struct Way {
  std::string name, address, mode;
};

// The first way's rate over the second's: median of the pairs' ratios.
Result compared(const std::string& program, const std::string& id, const Way& first, const Way& second, double target) {
  std::vector<double> ratios, ours, theirs;
  for (int turn = 0; turn < kTurns; ++turn) {
    ours.push_back(psRoundSeconds(program, first.address, first.mode));
    theirs.push_back(psRoundSeconds(program, second.address, second.mode));
    ratios.push_back(theirs.back() / ours.back());
  }
  return {.id = id, .value = median(ratios), .target = target,
          .note = strCat("2 workers, 1 server with 2 threads, 44.7 MB pushed and pulled in 1 MB frames: rate of ", first.name, " over that of ", second.name, ", median of ",
                         kTurns, " pairs"),
          .inputs = {{first.mode + "_round_s", median(ours)}, {second.mode + "_round_s", median(theirs)}}};
}

const Way kPlain{"plain TCP", "127.0.0.1", "plain"}, kCurve{"CURVE", "127.0.0.1", "curve"}, kAesGcm{"AES-256-GCM", "127.0.0.1", "aes_gcm"};

}  // namespace

Result curveVsPlain(const std::string& program) { return compared(program, "curve_vs_plain", kCurve, kPlain, 0.25); }
Result aesGcmVsPlain(const std::string& program) {
  Result result = compared(program, "aes_gcm_vs_plain", kAesGcm, kPlain, 0.6);
  result.note += strCat("; sealed by ", zeromq::aeadLibrary());
  return result;
}
Result aesGcmVsCurve(const std::string& program) { return compared(program, "aes_gcm_vs_curve", kAesGcm, kCurve, 2.0); }

Result ipcVsTcp(const std::string& program) {
  const TempFolder folder;
  Result result = compared(program, "ipc_vs_tcp", {"private sockets", strCat("ipc://", folder.path), "plain"}, kPlain, 1.0);
  result.inputs[0].first = "ipc_round_s";
  return result;
}

Result shmVsTcp(const std::string& program) {
  const TempFolder folder;
  return compared(program, "shm_vs_tcp", {"shared memory", strCat("ipc://", folder.path), kSharedMemory}, kPlain, 4.0);
}

}  // namespace paceline::bench
