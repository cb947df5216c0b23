#include "storage/summary/links.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/core/base/text.h"

namespace paceline::summary {

std::vector<Way> waysOf(const std::vector<store::LinkRow>& records) {
  std::map<std::pair<std::string, std::string>, Way> ways;
  for (const store::LinkRow& row : records) {
    const LinkRecord& link = row.record;
    Way &to = ways[{row.node, link.peer}], &from = ways[{link.peer, row.node}];
    to.messages += link.messagesSent, to.values += link.valuesSent, to.bytes += link.bytesSent, to.shared += link.sharedSent, to.framed += link.framedSent;
    if (link.kernelSent) to.kernel = to.kernel.value_or(0) + *link.kernelSent;
    if (link.retransmitted) to.again = to.again.value_or(0) + *link.retransmitted;
    from.messagesReceived = from.messagesReceived.value_or(0) + link.messagesReceived;
    from.bytesReceived = from.bytesReceived.value_or(0) + link.bytesReceived;
  }
  std::vector<Way> all;
  for (auto& [ends, way] : ways) {
    way.from = ends.first, way.to = ends.second;
    if (way.messages > 0 || way.messagesReceived.value_or(0) > 0) all.push_back(std::move(way));
  }
  return all;
}

std::set<std::string> startedAgain(const std::vector<store::NodeRow>& nodes, const std::vector<store::NoticeRow>& notices) {
  std::set<std::string> workers, again;
  for (const store::NodeRow& node : nodes)
    if (node.role == "worker") workers.insert(node.id);
  for (const store::NoticeRow& notice : notices)
    if (notice.record.reason == "restarted" && workers.contains(notice.node)) again.insert(notice.node);
  return again;
}

std::vector<std::string> unevenWays(const std::vector<Way>& ways, const std::vector<store::NodeRow>& nodes, const std::set<std::string>& again) {
  std::set<std::string> workers, servers;
  for (const store::NodeRow& node : nodes)
    if (!again.contains(node.id)) (node.role == "server" ? servers : workers).insert(node.id);
  std::vector<std::string> found;
  for (const Way& way : ways) {
    const bool counted = workers.contains(way.from) && servers.contains(way.to) && way.messages > 0 && way.messagesReceived;
    if (!counted || (way.messages == *way.messagesReceived && way.bytes == *way.bytesReceived)) continue;
    found.push_back(strCat(way.from, " sent ", way.to, " ", way.messages, " messages of ", way.bytes, " bytes, and ", *way.messagesReceived, " of ", *way.bytesReceived, " bytes came"));
  }
  return found;
}

}  // namespace paceline::summary
