#include "tests/slurm/slurm_fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <random>
#include <sstream>

#include "app/cluster/slurm/host.h"
#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

constexpr const char* kPrograms[] = {"/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/sbatch", "/usr/bin/srun", "/usr/bin/squeue"};

// Slurm takes no port 0: one that was free a moment ago.
int freePort(std::vector<Fd>& held) {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  PACELINE_CHECK(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) == 0, "a free port");
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  held.push_back(std::move(socket));
  return ntohs(address.sin_port);
}

std::string shortHostName() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return std::string(name).substr(0, std::string(name).find('.'));
}

}  // namespace

std::string noSlurm() {
  for (const char* program : kPrograms)
    if (::access(program, X_OK) != 0) return strCat(program, " is missing: Debian's slurm-wlm and munge have it");
  return ::geteuid() == 0 ? "" : "Slurm's daemons are started as root";
}

std::string TestSlurm::configuration() const {
  std::vector<Fd> held;
  std::ostringstream text;
  text << "ClusterName=test\nSlurmctldHost=" << node_ << "(127.0.0.1)\nSlurmctldPort=" << freePort(held) << "\nSlurmdPort=" << freePort(held)
       << "\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket=" << (folder_ / "munge.sock").string()
       << "\nStateSaveLocation=" << (folder_ / "state").string() << "\nSlurmdSpoolDir=" << (folder_ / (nodes_ == 1 ? "spool" : "spool-%n")).string()
       << "\nSlurmctldPidFile=" << (folder_ / "ctld.pid").string() << "\nSlurmdPidFile=" << (folder_ / (nodes_ == 1 ? "slurmd.pid" : "slurmd-%n.pid")).string()
       << "\nSlurmctldLogFile=" << (folder_ / "ctld.log").string() << "\nSlurmdLogFile=" << (folder_ / (nodes_ == 1 ? "slurmd.log" : "slurmd-%n.log")).string()
       << "\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMpiDefault=none"
       << "\nReturnToService=2\nSchedulerParameters=sched_interval=1,batch_sched_delay=0\nKillWait=2\nSlurmdTimeout=0\n";
  if (nodes_ == 1) text << "NodeName=" << node_ << " NodeAddr=127.0.0.1 CPUs=" << ::sysconf(_SC_NPROCESSORS_ONLN) << " State=UNKNOWN\n";
  for (int i = 0; nodes_ > 1 && i < nodes_; ++i)
    text << "NodeName=n" << i << " NodeHostname=" << node_ << " NodeAddr=127.0.0.1 Port=" << freePort(held) << " CPUs=" << ::sysconf(_SC_NPROCESSORS_ONLN) << " State=UNKNOWN\n";
  text << "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4\n";
  return text.str();
}

TestSlurm::TestSlurm(int nodes) : node_(shortHostName()), nodes_(nodes) {
  std::string name = "/tmp/plslurm-XXXXXX";  // short: Slurm's own sockets lie below
  PACELINE_CHECK(::mkdtemp(name.data()) != nullptr, "a folder in /tmp");
  folder_ = name;
  for (const char* part : {"state", "spool"}) std::filesystem::create_directory(folder_ / part);
  for (int i = 0; i < nodes_; ++i) std::filesystem::create_directory(folder_ / strCat("spool-n", i));
  std::random_device random;
  std::ofstream key(folder_ / "munge.key", std::ios::binary);
  for (int i = 0; i < 256; ++i) key << static_cast<char>(random());
  key.close();
  std::filesystem::permissions(folder_ / "munge.key", std::filesystem::perms::owner_read);
  std::ofstream(folder_ / "slurm.conf") << configuration();

  const auto in = [this](const char* option, const char* file) { return strCat(option, (folder_ / file).string()); };
  const std::map<std::string, std::string> env = {{"SLURM_CONF", (folder_ / "slurm.conf").string()}};
  munged_ = std::make_unique<hosts::LocalProcess>(std::vector<std::string>{"/usr/sbin/munged", "--foreground", "--force", "--num-threads=1", in("--socket=", "munge.sock"), in("--key-file=", "munge.key"),
                                                                    in("--pid-file=", "munged.pid"), in("--seed-file=", "munged.seed"), in("--log-file=", "munged.log")});
  const auto guard = std::chrono::steady_clock::now() + std::chrono::duration<double>(kGuardSeconds);
  const auto until = [&](auto&& reached, const char* what) {
    while (!reached()) {
      munged_->readLine(0.05);
      if (std::chrono::steady_clock::now() > guard) throw Error(Errc::kHost, strCat("Slurm in ", folder_.string(), ": ", what, " did not come"));
    }
  };
  until([&] { return std::filesystem::is_socket(folder_ / "munge.sock"); }, "munged's socket");
  controller_ = std::make_unique<hosts::LocalProcess>(std::vector<std::string>{"/usr/sbin/slurmctld", "-D"}, env);
  for (int i = 0; i < nodes_; ++i) {
    std::vector<std::string> command = {"/usr/sbin/slurmd", "-D"};
    if (nodes_ > 1) command.insert(command.end(), {"-N", strCat("n", i)});
    daemons_.push_back(std::make_unique<hosts::LocalProcess>(command, env));
  }
  const auto host = hosts::localHost("test", env);
  const auto idle = [&] {
    try {
      return slurm::said(*host, {"sinfo", "--noheader", "--format=%T"}) == "idle";
    } catch (const Error&) {  // no controller yet
      return false;
    }
  };
  until(idle, "an idle node");
}

// Slurm ends what jobs left running; its daemons are killed then.
TestSlurm::~TestSlurm() {
  const auto host = hosts::localHost("test", entry().env);
  try {
    slurm::said(*host, {"scancel", "--user=root"});
    const auto guard = std::chrono::steady_clock::now() + std::chrono::duration<double>(kGuardSeconds);
    while (!jobs().empty() && std::chrono::steady_clock::now() < guard) munged_->readLine(0.05);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  daemons_.clear();
  controller_.reset();
  munged_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

hosts::HostEntry TestSlurm::entry() const {
  hosts::HostEntry entry;
  entry.name = "cluster";
  entry.kind = "slurm";
  entry.env = {{"SLURM_CONF", (folder_ / "slurm.conf").string()}, {"PACELINE_AGENT_DIR", (folder_ / "agent").string()}, {"PACELINE_AGENT_IDLE_S", "1"},
               {"XDG_CACHE_HOME", (folder_ / "cache").string()}};
  return entry;
}

hosts::HostEntry TestSlurm::entry(int node, int nodes) const {
  hosts::HostEntry one = entry();
  one.job = one.name, one.name += std::to_string(node), one.jobNode = node, one.jobNodes = nodes;
  return one;
}

std::string TestSlurm::jobs() const { return slurm::said(*hosts::localHost("test", entry().env), {"squeue", "--noheader"}); }

}  // namespace paceline::tests
