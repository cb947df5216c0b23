#include "app/cluster/hosts/host_registry.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "engine/core/base/error.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

class HostBook_ : public ClusterTest {
 protected:
  std::string path() const { return (folder_ / "config" / "paceline" / "hosts.json").string(); }
  void write(const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path()).parent_path());
    std::ofstream(path(), std::ios::binary) << text;
  }
  std::string text() const {
    std::stringstream all;
    all << std::ifstream(path()).rdbuf();
    return all.str();
  }
  // What reading `text` says, without the file's name.
  std::string said(const std::string& text) const {
    write(text);
    try {
      hosts::HostRegistry::load(path());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kFormat);
      EXPECT_THAT(error.what(), testing::StartsWith(strCat(path(), ": ")));
      return std::string(error.what()).substr(path().size() + 2);
    }
    return "nothing";
  }
  static std::string refusal(const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }
  static hosts::HostEntry ssh(const std::string& name, const std::string& jump = "") {
    hosts::HostEntry entry;
    entry.name = name;
    entry.address = "10.0.0.5";
    entry.jump = jump;
    return entry;
  }
};

TEST_F(HostBook_, OfAnEarlierVersionIsReadAndSavedTheSame) {
  const std::string kept = PACELINE_SOURCE_DIR "/tests/storage/fixtures/kept/hosts.json";
  std::filesystem::create_directories(std::filesystem::path(path()).parent_path());
  std::filesystem::copy_file(kept, path());
  const std::string before = text();
  const hosts::HostRegistry book = hosts::HostRegistry::load(path());
  EXPECT_EQ(book.require("inner").jump, "desk");
  EXPECT_EQ(book.require("queue").slurm.size(), 2U);
  book.save();
  EXPECT_EQ(text(), before);
}

TEST_F(HostBook_, WithoutAFileThereIsThisComputer) {
  const hosts::HostRegistry book = hosts::HostRegistry::load(path());
  ASSERT_EQ(book.entries().size(), 1U);
  EXPECT_EQ(book.entries()[0].name, "local");
  EXPECT_EQ(book.entries()[0].kind, "local");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(HostBook_, WhatWasSavedIsReadBackWhole) {
  hosts::HostRegistry book = hosts::HostRegistry::load(path());
  hosts::HostEntry gate = ssh("gate");
  hosts::HostEntry all = {.name = "gpu-1.rack_2", .kind = "ssh", .address = "gpu1", .port = 2222, .user = "ann", .identity = "~/.ssh/my key", .knownHosts = "/k", .jump = "gate",
                   .acceptNewKey = true, .dataAddress = "fe80::1", .libraries = "/opt/torch", .env = {{"XDG_CACHE_HOME", "/scratch/ann \"x\""}}, .slurm = {}};
  hosts::HostEntry queue = {.name = "queue", .kind = "slurm", .address = "", .port = 0, .user = "", .identity = "", .knownHosts = "", .jump = "", .acceptNewKey = false, .dataAddress = "",
                     .libraries = "", .env = {}, .slurm = {"--partition=gpu", "--time=1:00"}};
  hosts::HostEntry here = *book.find("local");
  here.dataAddress = "10.0.0.1";
  for (const hosts::HostEntry& entry : {gate, all, queue, here}) book.put(entry);
  book.save();
  const hosts::HostRegistry again = hosts::HostRegistry::load(path());
  EXPECT_EQ(again.entries(), book.entries());
  EXPECT_EQ(again.names(), (std::vector<std::string>{"local", "gate", "gpu-1.rack_2", "queue"}));
  EXPECT_EQ(again.require("gpu-1.rack_2"), all);
  EXPECT_EQ(again.require("local").dataAddress, "10.0.0.1");
}

TEST_F(HostBook_, OnlyItsUserMayReadTheFileAndNothingElseIsLeft) {
  hosts::HostRegistry book = hosts::HostRegistry::load(path());
  book.put(ssh("a"));
  book.save();
  book.put(ssh("b"));
  book.save();
  struct stat found {};
  ASSERT_EQ(::stat(path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(path()).parent_path()), {}), 1);
}

TEST_F(HostBook_, ALinkToTheFileStaysALink) {
  hosts::HostRegistry book = hosts::HostRegistry::load(path());
  std::filesystem::create_directories(std::filesystem::path(path()).parent_path());
  const auto real = folder_ / "dotfiles.json";
  std::ofstream(real) << R"({"paceline_hosts": 1, "hosts": []})";
  std::filesystem::create_symlink(real, path());
  book.put(ssh("a"));
  book.save();
  EXPECT_TRUE(std::filesystem::is_symlink(path()));
  EXPECT_EQ(hosts::HostRegistry::load(real.string()).names(), (std::vector<std::string>{"local", "a"}));
}

TEST_F(HostBook_, AFullDiskKeepsTheOldList) {
  const std::string disk = smallDisk(folder_ / "config");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  hosts::HostRegistry book = hosts::HostRegistry::load(path());
  book.put(ssh("a"));
  book.save();
  fillDisk(disk);
  for (int i = 0; i < 200; ++i) book.put(ssh(strCat("host", i)));
  try {
    book.save();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kNoSpace);
    EXPECT_EQ(error.what(), strCat("cannot write ", path(), " (the file there stays as it was): No space left on device"));
  }
  EXPECT_EQ(hosts::HostRegistry::load(path()).names(), (std::vector<std::string>{"local", "a"}));
}

TEST_F(HostBook_, BadFilesAreToldWithTheirPlace) {
  EXPECT_THAT(said("{"), HasSubstr("line 1"));
  EXPECT_EQ(said("[]"), "The document must be an object; it is an array.");
  EXPECT_EQ(said("{}"), "/paceline_hosts: is required and must be 1");
  EXPECT_EQ(said(R"({"paceline_hosts": 2})"), "/paceline_hosts: \"paceline_hosts\" must be 1, the version of the document's form; it is 2. A newer Paceline wrote it.");
  EXPECT_EQ(said(R"({"paceline_hosts": 1, "host": []})"), "/host: unknown key; have paceline_hosts, hosts");
  EXPECT_EQ(said(R"({"paceline_hosts": 1, "hosts": {}})"), "/hosts: \"hosts\" must be an array; it is an object.");
  const auto entry = [](const std::string& members) { return strCat(R"({"paceline_hosts": 1, "hosts": [{"name": "a", "address": "x"}, {)", members, "}]}"); };
  EXPECT_THAT(said(entry(R"("name": "b", "address": "x", "prot": 22)")), testing::StartsWith("/hosts/1/prot: unknown key; have name, kind, address, port"));
  EXPECT_EQ(said(entry(R"("address": "x")")), "/hosts/1/name: is required");
  EXPECT_EQ(said(entry(R"("name": "b", "address": "x", "port": 70000)")), "/hosts/1/port: \"port\" must be at most 65535; it is 70000.");
  EXPECT_EQ(said(entry(R"("name": "b", "address": 5)")), "/hosts/1/address: \"address\" must be a text; it is 5.");
  EXPECT_EQ(said(entry(R"("name": "b", "address": "x", "env": {"A": 1})")), "/hosts/1/env/A: \"A\" must be a text; it is 1.");
  EXPECT_EQ(said(entry(R"("name": "a", "address": "x")")), "/hosts/1/name: host \"a\" is there twice");
  EXPECT_EQ(said(entry(R"("name": "b")")), "/hosts/1: host \"b\": has no address");
  EXPECT_EQ(said(entry(R"("name": "b", "address": "x", "jump": "c")")), "/hosts/1/jump: host \"b\": jump host \"c\" is not known; have local, a, b");
}

TEST_F(HostBook_, AJumpHostMayComeLaterInTheFileButNotInACircle) {
  EXPECT_EQ(said(R"({"paceline_hosts": 1, "hosts": [{"name": "a", "address": "x", "jump": "b"}, {"name": "b", "address": "x"}]})"), "nothing");
  EXPECT_EQ(said(R"({"paceline_hosts": 1, "hosts": [{"name": "a", "address": "x", "jump": "b"}, {"name": "b", "address": "x", "jump": "a"}]})"),
            "/hosts/1/jump: host \"b\": its jump hosts lead in a circle: \"b\" comes again");
}

TEST_F(HostBook_, BadEntriesAreRefused) {
  hosts::HostRegistry book;
  const auto put = [&](const std::function<void(hosts::HostEntry&)>& change) {
    hosts::HostEntry entry = ssh("a");
    change(entry);
    return refusal([&] { book.put(entry); });
  };
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.name = "a b"; }), "\"a b\" is no name of a host: 1 to 64 letters, digits, '_', '-', '.', not '-' first");
  EXPECT_THAT(put([](hosts::HostEntry& e) { e.name = ""; }), HasSubstr("is no name of a host"));
  EXPECT_THAT(put([](hosts::HostEntry& e) { e.name.assign(65, 'x'); }), HasSubstr("is no name of a host"));
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.kind = "cloud"; }), "host \"a\": kind \"cloud\" is not known; have local, ssh, slurm, exec");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.port = -1; }), "host \"a\": port must be 1 to 65535, got -1");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.address = "-oProxyCommand=x"; }), "host \"a\": address \"-oProxyCommand=x\" must not begin with '-'");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.address = "x\nHost y"; }), "host \"a\": address \"x?Host y\" has a control character");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.dataAddress = "eth0"; }), "host \"a\": data address \"eth0\" is no IP address");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.dataAddress = "0.0.0.0"; }),
            "host \"a\": data address 0.0.0.0 means every interface; name the one that carries the runs' traffic");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.dataAddress = "::"; }),
            "host \"a\": data address :: means every interface; name the one that carries the runs' traffic");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.env["A=B"] = "x"; }), "host \"a\": \"A=B\" is no name of an environment variable");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.jump = e.name; }), "host \"a\": its jump hosts lead in a circle: \"a\" comes again");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.jump = "local"; }), "host \"a\": jump host \"local\" is of kind local; only ssh hosts can be jumped over");
  EXPECT_EQ(put([](hosts::HostEntry& e) { e.name = "local"; }), "host \"local\": is this computer; its kind stays local");
  EXPECT_EQ(book.entries().size(), 1U);
}

TEST_F(HostBook_, UnknownHostsAreNamedWithThoseThatAreKnown) {
  hosts::HostRegistry book;
  book.put(ssh("a"));
  book.put(ssh("b", "a"));
  EXPECT_EQ(refusal([&] { book.require("moon"); }), "host \"moon\" is not known; have local, a, b");
  EXPECT_EQ(refusal([&] { book.remove("moon"); }), "host \"moon\" is not known; have local, a, b");
  EXPECT_EQ(refusal([&] { book.remove("local"); }), "\"local\" is this computer and stays in the list");
  EXPECT_EQ(refusal([&] { book.remove("a"); }), "host \"a\" stays: host \"b\" jumps over it");
  book.remove("b");
  book.remove("a");
  EXPECT_EQ(book.names(), std::vector<std::string>{"local"});
}

// Whatever the bytes are: a book, or one sentence that names the file. Nothing crashes.
TEST_F(HostBook_, DamagedFilesAreRefusedOrRead) {
  hosts::HostRegistry book = hosts::HostRegistry::load(path());
  book.put(ssh("gate"));
  book.put(ssh("gpu1", "gate"));
  book.save();
  const std::string good = text();
  std::mt19937 random(7);
  int read = 0;
  for (int i = 0; i < 500; ++i) {
    std::string bad = good;
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) bad[random() % bad.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bad.resize(random() % bad.size());
    write(bad);
    try {
      hosts::HostRegistry::load(path());
      ++read;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(path()));
    }
  }
  EXPECT_LT(read, 500);
}

}  // namespace
}  // namespace paceline::tests
