// The one axis on which records of different nodes and hosts lie. Private to lanes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "storage/summary/summary.h"

namespace paceline::lanes {

class Axis {
 public:
  explicit Axis(const summary::RunData& data);
  double at(const std::string& node, double t) const;  // t since the node was told to start; s since the first worker was
  double ownTime(const std::string& node, double at) const;  // the other way; of a moment that the node's clock has jumped over, when it did
  std::optional<double> ofDate(const std::string& host, double date) const;  // of a moment of the host's clock; nullopt: no node has told its dates
  double error() const { return error_; }              // NaN: a node has not told how its clock is related

 private:
  struct Reading {
    double t = 0, date = 0;  // of a node; of a host: date, offset
  };
  double dateOf(const std::string& node, double t) const;
  double offsetOf(const std::string& host, double date) const;

  std::map<std::string, std::vector<Reading>> nodes_, hosts_;
  std::map<std::string, std::string> hostOf_;
  double origin_ = 0, error_ = 0;
};

}  // namespace paceline::lanes
