#include "app/cluster/hosts/local_process.h"

#include <gmock/gmock.h>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

hosts::LocalProcess shell(const std::string& script) { return hosts::LocalProcess({"/bin/sh", "-c", script}); }

TEST(LocalProcess, LinesBothWays) {
  hosts::LocalProcess cat({"cat"});
  cat.writeLine("one");
  EXPECT_EQ(cat.readLine(30), "one");
  cat.writeLine("");
  EXPECT_EQ(cat.readLine(30), "");
  EXPECT_FALSE(cat.ended());
  EXPECT_EQ(cat.readLine(0), std::nullopt);
  EXPECT_FALSE(cat.ended());
  cat.closeInput();
  EXPECT_EQ(cat.readLine(30), std::nullopt);
  EXPECT_TRUE(cat.ended());
  EXPECT_EQ(cat.wait().code, 0);
}

TEST(LocalProcess, TheLastLineNeedsNoNewline) {
  hosts::LocalProcess process = shell("printf 'a\\nb'");
  EXPECT_EQ(process.readLine(30), "a");
  EXPECT_EQ(process.readLine(30), "b");
  EXPECT_TRUE(process.ended());
}

TEST(LocalProcess, SaysExitCodeAndSignal) {
  EXPECT_EQ(shell("exit 3").wait().code, 3);
  EXPECT_EQ(shell("kill -9 $$").wait().code, 137);
  EXPECT_EQ(shell("yes | head -c 1000000").wait().code, 0);
}

TEST(LocalProcess, KeepsTheEndOfItsErrors) {
  hosts::LocalProcess process = shell("echo something bad >&2; exit 1");
  const hosts::ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.errors, "something bad\n");
}

TEST(LocalProcess, WritingToOneThatIsGoneIsAnError) {
  hosts::LocalProcess process = shell("exec <&-; echo closed; exec sleep 100");
  EXPECT_EQ(process.readLine(30), "closed");
  EXPECT_THROW(process.writeLine("x"), Error);
}

TEST(LocalProcess, MuchInputAndOutputDoNotBlockEachOther) {
  hosts::LocalProcess cat({"cat"});
  const std::string line(10'000, 'x');
  for (int i = 0; i < 500; ++i) cat.writeLine(line);  // 5 MB that cat writes back while nobody reads
  for (int i = 0; i < 500; ++i) ASSERT_EQ(cat.readLine(30), line);
}

TEST(LocalProcess, AProgramThatIsNotThereIsNamed) {
  try {
    hosts::LocalProcess process({"/no/such/program"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kHost);
    EXPECT_STREQ(error.what(), "local: cannot start /no/such/program: No such file or directory");
  }
}

}  // namespace
}  // namespace paceline::tests
