#include "engine/core/spec/schema.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TEST(FieldInfo, TellsWhatTheDescriptionSays) {
  EXPECT_EQ(fieldHelp("/optimizer/momentum"), "Velocity, of sgd: v = momentum · v + gradient; a step is rate · v; 0: none. 0 to below 1, default 0.");
  EXPECT_EQ(fieldHelp("/checkpoint/every_rounds"), "Rounds between two checkpoints, from which the run can be resumed; 0: never. At least 0, default 0.");
  EXPECT_EQ(fieldHelp("/stop/seconds"), "Since the first round of the worker that evaluates; empty: no such rule. Above 0.");
  EXPECT_EQ(fieldAt("/batch_size")->unit, "samples");
  EXPECT_EQ(fieldHelp("/colour"), "");
}

TEST(FieldInfo, ItemsOfAListAreAlike) {
  ASSERT_NE(fieldAt("/nodes/12/emulate/jitter"), nullptr);
  EXPECT_EQ(fieldAt("/nodes/12/emulate/jitter"), fieldAt("/nodes/0/emulate/jitter"));
}

// A digit within a name is no place in a list.
TEST(FieldInfo, IsFoundByItsOwnPointer) {
  for (const FieldInfo& field : runSpecFields()) EXPECT_EQ(fieldAt(field.pointer), &field) << field.pointer;
  EXPECT_EQ(fieldHelp("/optimizer/beta1"), "Of adam and adamw: share of the mean gradient that a step keeps. 0 to below 1, default 0.9.");
  EXPECT_EQ(fieldAt("/optimizer/beta7"), nullptr);
}

TEST(FieldInfo, HelpNamesOtherMembersByTheirKeys) {
  EXPECT_NE(fieldHelp("/nodes/0/emulate/steps_s").find("they come before slowdown, step_s and jitter"), std::string::npos);
}

TEST(FieldInfo, EveryMemberHasHelp) {
  EXPECT_GT(runSpecFields().size(), 50u);
  for (const FieldInfo& field : runSpecFields()) EXPECT_FALSE(field.help.empty()) << field.pointer;
}

}  // namespace
}  // namespace paceline
