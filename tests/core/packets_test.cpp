#include "engine/core/base/packets.h"

#include <gtest/gtest.h>

namespace paceline {
namespace {

TEST(Packets, KeepTheirBoundsAndTellWhoSends) {
  const auto [one, other] = packetSockets();
  askForSenders(other);
  ASSERT_TRUE(sendPacket(one, "a"));
  const pid_t child = forked();
  if (child == 0) ::_exit(sendPacket(one, "of the child") ? 0 : 1);
  ASSERT_EQ(waitedFor(child), 0);
  const auto first = receivePacket(other), second = receivePacket(other);
  EXPECT_EQ(first->text, "a");
  EXPECT_EQ(first->from, ::getpid());
  EXPECT_EQ(second->text, "of the child");
  EXPECT_EQ(second->from, child);
}

TEST(Packets, BringDescriptorsThatEndWithThisProgram) {
  const auto [one, other] = packetSockets();
  const Pipe pipe;
  ASSERT_TRUE(sendPacket(one, "take", {pipe.write.get(), pipe.read.get()}));
  const auto packet = receivePacket(other);
  ASSERT_EQ(packet->fds.size(), 2U);
  EXPECT_EQ(::fcntl(packet->fds[0].get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  ASSERT_EQ(::write(packet->fds[0].get(), "x", 1), 1);
  char got = 0;
  EXPECT_EQ(::read(pipe.read.get(), &got, 1), 1);
  EXPECT_EQ(got, 'x');
}

TEST(Packets, AreEmptyWhenTheOtherEndIsClosed) {
  auto [one, other] = packetSockets();
  one.close();
  EXPECT_EQ(receivePacket(other)->text, "");
  EXPECT_FALSE(sendPacket(other, "to nobody"));  // and no SIGPIPE
  EXPECT_EQ(errno, EPIPE);
}

TEST(Packets, ThatHaveMoreThanTheyMayAreRefused) {
  const auto [one, other] = packetSockets();
  const std::string longer(kMaxPacket + 1, 'x');
  ASSERT_EQ(::write(one.get(), longer.data(), longer.size()), static_cast<ssize_t>(longer.size()));
  EXPECT_FALSE(receivePacket(other));
  EXPECT_EQ(errno, EMSGSIZE);
  ASSERT_TRUE(sendPacket(one, std::string(kMaxPacket, 'y')));
  EXPECT_EQ(receivePacket(other)->text.size(), kMaxPacket);
}

}  // namespace
}  // namespace paceline
