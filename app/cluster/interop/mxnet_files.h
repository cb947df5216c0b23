// MXNet-G's files of a cluster: `groups`, a line of worker addresses for each group, and `data_sharding`, a line "begin end" for each
// worker in MXNet-G's order of ranks. Pure: texts in, a document's groups and shares or problems out. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paceline::interop {

struct NamedText {
  std::string path, text;
};

struct ClusterWorker {  // of the document, in rank order
  std::string id, host;
  std::string address;  // of the host, as the book of hosts knows it; "": it does not
};

struct MxnetCluster {
  std::vector<std::vector<std::string>> groups;  // worker ids; empty without the file
  std::vector<double> shares;                    // by worker, six decimals that sum to exactly 1; empty without the file
  std::vector<std::string> notes;                // what a reader of the files would want to know
  std::vector<std::string> problems;             // "groups:3: ...", one for every bad line; then nothing else is filled
};

// A group's member is a worker's id; or an address, once for each of its workers, or with the worker's number there as in 10.0.0.5:1
// (from 0). Addresses that are hosts of the document's workers mean the workers there. When none is, they are MXNet-G's ranks: addresses
// in descending order of their text are the document's workers in order, as are data_sharding's lines. Every worker is in one group.
MxnetCluster readMxnetFiles(const std::optional<NamedText>& groups, const std::optional<NamedText>& dataSharding,
                            const std::vector<ClusterWorker>& workers);

}  // namespace paceline::interop
