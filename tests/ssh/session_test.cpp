// Reaching a host: time-outs with their reason, jump hosts, connections that end under way.
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <poll.h>
#include <unistd.h>

#include <thread>

#include "app/cluster/ssh/connection.h"
#include "tests/ssh/ssh_test.h"

namespace paceline::tests {
namespace {

class Session : public SshTest {};

// Takes connections on a free port and says `text`, if anything; ends with the object.
class Listener {
 public:
  explicit Listener(std::string text) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(socket_, reinterpret_cast<sockaddr*>(&where), sizeof where);
    ::listen(socket_, 8);
    socklen_t size = sizeof where;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&where), &size);
    port = ntohs(where.sin_port);
    if (text.empty()) return;  // connections wait in the backlog
    thread_ = std::jthread([this, text] {
      const int one = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
      ::send(one, text.data(), text.size(), MSG_NOSIGNAL);
      ::close(one);
    });
  }
  ~Listener() {
    ::shutdown(socket_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(socket_);
  }
  int port = 0;

 private:
  int socket_;
  std::jthread thread_;
};

hosts::HostEntry somewhere(int port) {
  hosts::HostEntry entry;
  entry.name = "gpu1";
  entry.address = "127.0.0.1";
  entry.port = port;
  entry.user = "root";
  return entry;
}

TEST_F(Session, ReasonsOfNotReaching) {
  int closed = 0;
  { closed = Listener("").port; }
  EXPECT_EQ(refusal({somewhere(closed)}, *hosts::nobody()).message,
            strCat("gpu1: 127.0.0.1:", closed, " refuses connections: nothing listens on that port, or a firewall rejects it"));
  const Listener silent("");
  EXPECT_EQ(refusal({somewhere(silent.port)}, *hosts::nobody(), {.connectSeconds = 0.2}).message,
            strCat("gpu1: 127.0.0.1:", silent.port,
                   " takes connections but does not speak SSH (nothing came within 0.2 s): another service listens there, or the SSH server hangs"));
  const Listener web("HTTP/1.1 400 Bad Request\r\n\r\n");
  EXPECT_EQ(refusal({somewhere(web.port)}, *hosts::nobody()).message,
            strCat("gpu1: 127.0.0.1:", web.port, " does not speak SSH (it closed the connection or sent something else): check the port"));
  const Listener stuck("SSH-2.0-OpenSSH_9.2\r\n");
  EXPECT_THAT(refusal({somewhere(stuck.port)}, *hosts::nobody(), {.connectSeconds = 0.5}).message,
              ::testing::StartsWith(strCat("gpu1: the SSH handshake with 127.0.0.1:", stuck.port, " failed: ")));
  hosts::HostEntry nameless = somewhere(22);
  nameless.address = "no-such-host.invalid";
  EXPECT_THAT(refusal({nameless}, *hosts::nobody()).message,
              ::testing::AllOf(::testing::StartsWith("gpu1: \"no-such-host.invalid\" is not known to the name service ("),
                               ::testing::EndsWith("); check the address, or use an IP")));
}

TEST_F(Session, AFrozenServerIsATimeOut) {
  TestSshd machine({.name = "gpu1"});
  machine.freeze();
  EXPECT_EQ(refusal({machine.entry()}, *hosts::nobody(), {.connectSeconds = 0.3}).message,
            strCat("gpu1: ", at(machine.entry()),
                   " takes connections but does not speak SSH (nothing came within 0.3 s): another service listens there, or the SSH server hangs"));
}

TEST_F(Session, AConnectionDroppedInATransferIsSaid) {
  TestSshd machine({.name = "gpu1"});
  const auto host = ssh::sshHost({machine.entry()}, *hosts::nobody());
  const auto process = host->start({"sh", "-c", "echo up; cat >/dev/null"});
  EXPECT_EQ(process->readLine(60), "up");
  machine.drop();
  std::string message;
  try {
    for (;;) process->write(std::string(1 << 20, 'x'));
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, strCat("gpu1: sh does not take input any more: the connection to ", at(machine.entry()), " was closed from there"));
  EXPECT_EQ(process->readLine(60), std::nullopt);
  EXPECT_TRUE(process->ended());
  try {
    process->wait();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), strCat("gpu1: the end of sh is not known: the connection to ", at(machine.entry()), " was closed from there"));
  }
  EXPECT_THROW(host->start({"true"}), Error);
}

TEST_F(Session, ASilentHostIsLostAfterTheKeepAlives) {
  TestSshd machine({.name = "gpu1"});
  const auto host = ssh::sshHost({machine.entry()}, *hosts::nobody(), {.keepAliveSeconds = 0.2, .keepAliveMisses = 3});
  const auto process = host->start({"sh", "-c", "echo up; cat"});
  EXPECT_EQ(process->readLine(60), "up");
  EXPECT_EQ(process->readLine(1.5), std::nullopt);  // quiet, but it answers keep-alives
  EXPECT_FALSE(process->ended());
  machine.freeze();
  EXPECT_EQ(process->readLine(60), std::nullopt);
  EXPECT_TRUE(process->ended());
  try {
    process->wait();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), strCat("gpu1: the end of sh is not known: the connection to ", at(machine.entry()), " is lost: no answer for 0.6 s"));
  }
}

// What the other side does not take must not hold us in send(): keep-alives go on, and end it. A network that takes little is a small send buffer.
TEST_F(Session, AHostThatFreezesInATransferIsLostAfterTheKeepAlives) {
  TestSshd machine({.name = "gpu1"});
  const ssh::ResolvedAlias target = ssh::resolveAlias(machine.entry());
  const int socket = ssh::connectTcp("gpu1", target.host, target.port, 10, 60), little = 8 << 10;
  ASSERT_EQ(::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &little, sizeof little), 0);
  const ssh::SshTimeouts timeouts{.keepAliveSeconds = 0.2, .keepAliveMisses = 3};
  const auto connection = std::make_shared<ssh::SshConnection>(target, socket, nullptr, timeouts, std::vector<std::string>{"ssh-ed25519"});
  ssh::verifyHostKey(*connection, *hosts::nobody());
  ssh::logIn(*connection, *hosts::nobody(), 30);
  const auto process = ssh::startProcess(connection, "sh", "echo up; cat >/dev/null", 30);
  EXPECT_EQ(process->readLine(60), "up");
  machine.freeze();
  std::string message;
  try {
    for (;;) process->write(std::string(1 << 20, 'x'));
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, strCat("gpu1: sh does not take input any more: the connection to ", at(machine.entry()), " is lost: no answer for 0.6 s"));
}

// libssh reads the socket in ssh_send_keepalive() too, where the answer to the question before is still unread. What it takes there is no longer
// on the socket: a wait that then looks at the socket alone lasts until the next question, whatever window or line has come.
TEST_F(Session, WhatAKeepAliveReadsEndsTheWait) {
  TestSshd machine({.name = "gpu1"});
  const ssh::ResolvedAlias target = ssh::resolveAlias(machine.entry());
  const int socket = ssh::connectTcp("gpu1", target.host, target.port, 10, 60);
  const ssh::SshTimeouts timeouts{.keepAliveSeconds = 2, .keepAliveMisses = 100};
  const auto connection = std::make_shared<ssh::SshConnection>(target, socket, nullptr, timeouts, std::vector<std::string>{"ssh-ed25519"});
  ssh::verifyHostKey(*connection, *hosts::nobody());
  ssh::logIn(*connection, *hosts::nobody(), 30);
  EXPECT_EQ(ssh::startProcess(connection, "true", "true", 30)->wait().code, 0);
  const auto waitWhenDue = [&] {
    while (connection->nextKeepAlive() > 0) ::poll(nullptr, 0, static_cast<int>(connection->nextKeepAlive() * 1000) + 1);
    return connection->wait(60);
  };
  ASSERT_TRUE(connection->wait(0));  // takes note of what has come
  const std::uint64_t before = connection->packets();
  ASSERT_TRUE(waitWhenDue());
  ASSERT_TRUE(ssh::waitReadable(socket, 60));  // the answer
  ASSERT_EQ(connection->packets(), before) << "nobody has taken it";
  ASSERT_TRUE(waitWhenDue());
  EXPECT_GT(connection->packets(), before);
  EXPECT_GT(connection->nextKeepAlive(), 0) << "the wait lasted until the next question";
}

TEST_F(Session, TooManySessionsAreNamed) {
  TestSshd machine({.name = "gpu1", .settings = {"MaxSessions 1"}});
  const auto host = ssh::sshHost({machine.entry()}, *hosts::nobody());
  const auto first = host->start({"cat"});
  try {
    host->start({"cat"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "gpu1: cannot start cat: the server allows no more sessions on this connection (MaxSessions in its sshd_config)");
  }
}

TEST_F(Session, OneAndTwoJumpsReachHostsInNetworksOfTheirOwn) {
  TestNetwork outer, inner;
  TestSshd first({.name = "first", .runNetwork = outer.path()}), second({.name = "second", .listenNetwork = outer.path(), .runNetwork = inner.path()}),
      last({.name = "last", .listenNetwork = inner.path()});
  EXPECT_EQ(run({first.entry(), second.entry()}, *hosts::nobody(), {"hostname"}), "second\n");
  EXPECT_EQ(run({first.entry(), second.entry(), last.entry()}, *hosts::nobody(), {"hostname"}), "last\n");
  const auto host = ssh::sshHost({first.entry(), second.entry(), last.entry()}, *hosts::nobody());
  const auto cat = host->start({"cat"});
  const std::string line(99'999, 'z');
  for (int i = 0; i < 100; ++i) cat->writeLine(line);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(cat->readLine(60), line);
  EXPECT_THAT(refusal({last.entry()}, *hosts::nobody()).message, ::testing::HasSubstr("refuses connections"));
}

TEST_F(Session, EveryHopsKeyIsVerified) {
  TestSshd jump({.name = "jump"}), behind({.name = "behind"});
  hosts::HostEntry unknown = behind.entry();
  unknown.knownHosts = (behind.folder() / "none").string();
  EXPECT_THAT(refusal({jump.entry(), unknown}, *hosts::nobody()).message, ::testing::StartsWith(strCat("behind: the key of ", at(unknown), " is not known: ")));
  jump.rekey();
  const Refusal refused = refusal({jump.entry(), behind.entry()}, *hosts::nobody());
  EXPECT_THAT(refused.message, ::testing::StartsWith(strCat("behind: its jump host cannot be used: jump: the key of ", at(jump.entry()), " has changed: ")));
  EXPECT_EQ(refused.stage, ssh::SshStage::kReach);
}

TEST_F(Session, AJumpHostThatIsDownOrLeadsNowhereIsNamed) {
  TestSshd jump({.name = "jump"}), behind({.name = "behind"}), closed({.name = "closed", .settings = {"AllowTcpForwarding no"}});
  const hosts::HostEntry target = behind.entry();
  behind.crash();
  EXPECT_EQ(refusal({jump.entry(), target}, *hosts::nobody()).message,
            strCat("behind: ", at(target), " cannot be reached from jump host jump: Connection refused"));
  EXPECT_EQ(refusal({closed.entry(), target}, *hosts::nobody()).message,
            strCat("behind: ", at(target),
                   " cannot be reached from jump host closed: it does not allow forwarding (open failed); AllowTcpForwarding in its sshd_config"));
  const hosts::HostEntry down = jump.entry();
  jump.crash();
  EXPECT_EQ(refusal({down, target}, *hosts::nobody()).message,
            strCat("behind: its jump host cannot be used: jump: ", at(down),
                   " refuses connections: nothing listens on that port, or a firewall rejects it"));
}

TEST_F(Session, AJumpHostLostUnderWayIsNamed) {
  TestSshd jump({.name = "jump"}), behind({.name = "behind"});
  const auto host = ssh::sshHost({jump.entry(), behind.entry()}, *hosts::nobody());
  const auto process = host->start({"sh", "-c", "echo up; cat"});
  EXPECT_EQ(process->readLine(60), "up");
  jump.crash();
  EXPECT_EQ(process->readLine(60), std::nullopt);
  try {
    process->wait();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), strCat("behind: the end of sh is not known: jump host jump was lost: the connection to ", at(jump.entry()), " was closed from there"));
  }
}

}  // namespace
}  // namespace paceline::tests
