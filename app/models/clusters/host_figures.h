// What the last check of a host measured, as tables, cards and choosers show it. Pure: a damaged probe gives empty figures.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "app/cluster/hosts/facts.h"

namespace paceline::clusters {

struct HostAddress {
  QString interface, address;
  bool loopback = false;
};

struct HostFact {
  QString name, value;
};

struct HostFigures {
  int cpus = 0;
  QStringList gpus;  // their names
  double memoryBytes = 0, memoryFreeBytes = 0, diskFreeBytes = 0;
  double speed = 0;  // GFLOP/s; 0: not measured
  double checked = 0;  // Unix time; 0: never
  std::vector<HostAddress> addresses;  // of interfaces that are up
  QStringList devices;           // "cpu", "cuda:0", ...
  std::vector<HostFact> facts;   // all that is worth a line
};

HostFigures figuresOf(const hosts::HostFacts& facts);

}  // namespace paceline::clusters
