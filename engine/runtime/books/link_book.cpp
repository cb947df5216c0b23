#include "engine/runtime/books/link_book.h"

#include <algorithm>
#include <vector>

#include "engine/core/base/error.h"

namespace paceline {

void LinkBook::tell(std::int64_t round, double t, bool settled) {
  if (!run_.emit) return;
  for (const int peer : meter_.peers()) {
    if (peer == run_.node) continue;
    const Traffic& with = meter_.with(peer);
    LinkRecord& told = told_[peer];
    if (with.messagesSent == told.messagesSent && with.messagesReceived == told.messagesReceived) continue;
    const WayCounts way = meter_.wayTo(peer, settled);
    LinkRecord now{.messagesSent = with.messagesSent,
                   .messagesReceived = with.messagesReceived,
                   .valuesSent = with.valuesSent,
                   .valuesReceived = with.valuesReceived,
                   .bytesSent = with.bytesSent,
                   .bytesReceived = with.bytesReceived,
                   .sharedSent = way.shared,
                   .framedSent = way.framed};
    if (way.kernel) now.kernelSent = static_cast<double>(*way.kernel);
    if (way.again) now.retransmitted = static_cast<double>(*way.again);
    LinkRecord since = now;
    since.round = round, since.t = t, since.peer = run_.spec.nodes.at(static_cast<std::size_t>(peer)).id;
    for (const auto member : {&LinkRecord::messagesSent, &LinkRecord::messagesReceived, &LinkRecord::valuesSent, &LinkRecord::valuesReceived, &LinkRecord::bytesSent, &LinkRecord::bytesReceived,
                              &LinkRecord::sharedSent, &LinkRecord::framedSent})
      since.*member -= told.*member;
    for (const auto member : {&LinkRecord::kernelSent, &LinkRecord::retransmitted})
      if (since.*member) *(since.*member) -= (told.*member).value_or(0);
    for (std::int64_t* known : {&since.framedSent, &since.sharedSent}) *known = std::max<std::int64_t>(0, *known);  // a way that broke is not known any more
    run_.emit(since);
    told = now;
  }
}

void LinkBook::state(Archive& archive) {
  for (const int peer : meter_.peers()) {
    LinkRecord& told = told_[peer];
    std::vector<double> counts;
    const auto each = [&told](auto&& act) {
      for (std::int64_t* count : {&told.messagesSent, &told.messagesReceived, &told.valuesSent, &told.valuesReceived, &told.bytesSent, &told.bytesReceived, &told.sharedSent, &told.framedSent}) act(*count);
    };
    each([&](std::int64_t& count) { counts.push_back(static_cast<double>(count)); });
    archive.fixedNumbers(strCat("told to ", peer), counts);
    each([&counts, at = std::size_t{0}](std::int64_t& count) mutable { count = static_cast<std::int64_t>(counts[at++]); });
  }
}

}  // namespace paceline
