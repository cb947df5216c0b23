// What a node is told on its stdin, one JSON object a line. Keys and peers come this way, never as arguments or environment.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/spec/run_spec.h"

namespace paceline {

// In the environment of a node, by its supervisor.
inline constexpr const char* kNodesFolderVariable = "PACELINE_NODES_FOLDER";  // where nodes make their private folders; the supervisor removes it
inline constexpr const char* kBeatVariable = "PACELINE_BEAT_S";               // seconds between two beats of a node
inline constexpr const char* kCheckpointsVariable = "PACELINE_CHECKPOINTS";   // the folder that relative ones of Prepare lie in
inline constexpr const char* kJournalVariable = "PACELINE_JOURNAL";           // of a node that may be started again: the number of the descriptor of its journal

// With which a node ends that may be started again and that the others have lost: its host starts it again, as one that was killed.
inline constexpr int kCutOffCode = 75;

// How the data between this run's nodes is protected, and with what. Keys are CURVE keys (Curve25519) in Z85, 40 characters, made for this
// run by the controller. They are handed over here and nowhere else: never in arguments, environment, files, logs or events.
struct DataKeys {
  std::string mode = "plain";        // "plain", "curve", "aes_gcm"
  std::string secret;                // this node's; empty when plain
  std::vector<std::string> publics;  // everybody's, by node index; empty when plain
};

// First line: who you are and what to run. The node binds an ephemeral port on `bind` and answers with a "listening" event.
struct Prepare {
  std::string run;
  RunSpec spec;             // validated and completed
  int node = 0;             // index into spec.nodes
  std::string bind = "ipc";  // a socket below a private directory; or the address of the chosen interface, then keys are needed
  DataKeys keys{};
  // Folders of this node's checkpoints; relative ones are below kCheckpointsVariable's. Empty: none.
  std::string checkpoints = {};  // where it saves
  std::string weights = {};      // where it leaves a model's weights; only who evaluates or leads does
  std::string resume = {};       // what it goes on from: the newest sound one that all nodes have
  bool serversReturn = false;    // servers that are killed are started again: who has lost one waits for it
};
// When all have said listening: endpoints by node index ("tcp://127.0.0.1:40123").
struct Start {
  std::vector<std::string> endpoints;
};
struct Stop {};  // finish the round in progress and end with reason "asked"

using Control = std::variant<Prepare, Start, Stop>;

std::string toLine(const Control& control);
Control parseControl(std::string_view line);  // throws Error{kFormat}

}  // namespace paceline
