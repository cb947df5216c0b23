// What every engine of an aggregation holds to, between wires of ours on the loopback interface. Whoever links it offers the engines first.
#pragma once

namespace paceline::tests {

struct EngineCase {
  const char *engine, *aggregation;
  const char* formula;  // the aggregation by whose formula its bytes are booked
};

void expectExactMeansAndBookedBytes(const EngineCase& of, int world);
void expectAStopToEndTheWaitForWorkersThatDoNotCome(const EngineCase& of);
void expectAWorkerThatIsElsewhereToBeNamed(const EngineCase& of);
void expectAWorkerKilledInACollectiveToBeNamed(const EngineCase& of);  // forks

}  // namespace paceline::tests
