// What crossed the links of a run, and what its method has to send: the traffic ledger. Any thread.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "storage/store/store.h"
#include "storage/summary/links.h"

namespace paceline::why {

// Bytes a worker sends in a round after the first, on the mean: recorded, and by its method.
struct SentRounds {
  std::string worker;
  double recorded = 0;
  std::optional<double> byMethod{};  // nullopt: not known
};

struct Ledger {
  std::vector<summary::Way> ways;    // empty: no link is recorded
  std::vector<std::string> uneven;   // where what was sent is not what was received, a sentence each
  std::set<std::string> again{};     // workers that were started again, whose links are not compared
  std::vector<SentRounds> rounds;    // by node, of those that sent something
  std::string notByMethod{};         // why it is not known what the method sends; "": it is
};

Ledger ledgerOf(const store::StoreReader& store, const store::RunRow& run);  // as recorded; throws Error{kStore}

// What the simulator's twin of the run, which learns nothing, sends in a round. Takes seconds.
void addByMethod(Ledger& ledger, const store::RunRow& run, std::stop_token stop = {});

std::string againText(const Ledger& ledger);  // who is not compared, and why; "": all are

std::string noLinksText(const store::RunRow& run);  // why a ledger has none

std::string linksToCsv(const Ledger& ledger);  // a row a link, headed by the keys of `paceline traffic --json`

// "0.012 %": how far the one is above the other; "-" where that is 0.
std::string offText(double part, double whole);

}  // namespace paceline::why
