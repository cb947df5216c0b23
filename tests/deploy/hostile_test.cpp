// Neither side believes the other: what a hostile desktop sends to the agent, and what a hostile agent answers.
#include <gmock/gmock.h>
#include <zstd.h>

#include <fstream>

#include "app/cluster/deploy/elf.h"
#include "app/cluster/deploy/files.h"
#include "app/cluster/hosts/host.h"
#include "engine/core/base/hash.h"
#include "engine/core/record/manifest.h"
#include "tests/deploy/deploy_fixture.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::StartsWith;

class HostileDesktop : public DeployTest {
 protected:
  // The last line that the agent says to these bytes.
  Json saidTo(const std::string& bytes) {
    const hosts::CommandResult result = hosts::runOn(*gpu1(), {PACELINE_BIN_DIR "/paceline-agent", "receive"}, {.input = &bytes});
    return result.lines.empty() ? Json() : Json::parse(result.lines.back());
  }
  std::string refusalOf(const std::string& bytes) {
    const Json said = saidTo(bytes);
    EXPECT_TRUE(said.contains("error")) << said;
    EXPECT_FALSE(fs::exists(cache() / "versions" / std::string(32, 'a')));
    return said.value("error", "");
  }
  static Json file(const std::string& path, std::int64_t size = 3, const std::string& sha256 = sha256Hex("abc")) {
    return {{"path", path}, {"program", false}, {"size", size}, {"sha256", sha256}};
  }
  static std::string place(const std::vector<Json>& files, const std::string& part = "", std::string version = "") {
    const Json manifest = {{"paceline", "0.1.0"}, {"files", files}};
    if (version.empty()) {
      try {
        version = parseManifest(manifest.dump()).id();
      } catch (const Error&) {  // a bad one is refused before its version matters
        version = std::string(32, 'a');
      }
    }
    return Json({{"request", "place"}, {"version", version}, {"part", part}, {"manifest", manifest}}).dump() + "\n";
  }
  static std::string frame(std::uint32_t raw, std::uint32_t packed, const std::string& bytes) {
    std::string out;
    for (const std::uint32_t value : {raw, packed})
      for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i));
    return out + bytes;
  }
  static std::string packed(const std::string& bytes) {
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
    return out;
  }
  static std::string frame(const std::string& bytes) {
    const std::string small = packed(bytes);
    return frame(static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(small.size()), small);
  }
};

TEST_F(HostileDesktop, AnHonestOneIsServed) {
  const Json said = saidTo(place({file("a/b")}) + frame("abc"));
  ASSERT_TRUE(said.contains("placed")) << said;
  EXPECT_EQ(contentOf(fs::path(said["placed"].get<std::string>()) / "a" / "b"), "abc");
}

TEST_F(HostileDesktop, AContentOfBothModesIsAskedForOnce) {
  Json program = file("tool");
  program["program"] = true;
  put(strCat("gpu1/paceline/partial/", sha256Hex("abc")), "a");
  const Json said = saidTo(place({program, file("tool.txt")}) + frame("bc"));
  ASSERT_TRUE(said.contains("placed")) << said;
  const fs::path placed = said["placed"].get<std::string>();
  EXPECT_EQ(contentOf(placed / "tool"), "abc");
  EXPECT_EQ(contentOf(placed / "tool.txt"), "abc");
  EXPECT_EQ(fs::status(placed / "tool").permissions(), fs::perms(0555));
  EXPECT_EQ(fs::status(placed / "tool.txt").permissions(), fs::perms(0444));
}

TEST_F(HostileDesktop, PathsThatLeaveTheFolderAreRefused) {
  for (const char* path : {"../a", "/etc/passwd", "a/../../b", "a//b", "a/", "", ".", "a/./b", ".manifest.json", "a\nb", "lib/.hidden"})
    EXPECT_EQ(refusalOf(place({file(path)})), strCat("the list of files is refused: \"", path == std::string("a\nb") ? "a?b" : path, "\" is no path inside its folder"));
}

TEST_F(HostileDesktop, ListsThatCannotBeAreRefused) {
  EXPECT_EQ(refusalOf(place({file("a"), file("a")})), "the list of files is refused: \"a\" is there twice");
  EXPECT_EQ(refusalOf(place({file("a"), file("a/b")})), "the list of files is refused: \"a\" is a file and a folder");
  EXPECT_EQ(refusalOf(place({file("a", -1)})), "the list of files is refused: \"a\" has -1 bytes");
  EXPECT_EQ(refusalOf(place({file("a", 3, "../../x")})), "the list of files is refused: \"a\" has no SHA-256");
  EXPECT_EQ(refusalOf(place({})), "the list of files is refused: it has 0 files, not 1 to 20000");
  EXPECT_EQ(refusalOf(place({file("a", std::int64_t{1} << 41)})).find("the disk of "), 0u) << "a lie about the size costs nothing";
}

TEST_F(HostileDesktop, PlacesThatAreNoneAreRefused) {
  const std::string a(32, 'a');
  EXPECT_THAT(refusalOf(place({file("a")}, "", a)), StartsWith(strCat("a request is refused: version ", a, " is not the one of its files, ")));
  EXPECT_EQ(refusalOf(place({file("a")}, "lib", a)), strCat("a request is refused: version ", a, " is not there"));
  EXPECT_EQ(refusalOf(place({file("a")}, "", "../../../x")), "a request is refused: /version: is no version");
  for (const char* part : {"data/../x", "data/", "bin", "data/a/b", "data/."}) {
    saidTo(place({file("a")}) + frame("abc"));
    const std::string version = parseManifest(Json({{"paceline", ""}, {"files", Json::array({file("a")})}}).dump()).id();
    EXPECT_EQ(refusalOf(place({file("a")}, part, version)), strCat("a request is refused: \"", part, "\" is no part of a version; have lib, data/NAME"));
  }
}

TEST_F(HostileDesktop, FramesThatLieAreRefused) {
  EXPECT_EQ(refusalOf(place({file("a")}) + frame(3, 4, "nope")), "a frame cannot be unpacked");
  EXPECT_EQ(refusalOf(place({file("a")}) + frame(2, static_cast<std::uint32_t>(packed("abc").size()), packed("abc"))), "a frame cannot be unpacked");
  EXPECT_EQ(refusalOf(place({file("a")}) + frame("abcd")), "a frame of 4 bytes is refused; 3 of its file are left");
  EXPECT_EQ(refusalOf(place({file("a", 1 << 30)}) + frame(0xffffffff, 10, "")), "a frame of 4294967295 bytes, 10 packed, is refused; at most 1048576 are allowed");
  EXPECT_EQ(refusalOf(place({file("a")}) + frame(3, 0xffffffff, "")), "a frame of 3 bytes, 4294967295 packed, is refused; at most 1048576 are allowed");
  EXPECT_EQ(refusalOf(place({file("a")}) + frame("xyz")), "a arrived with another SHA-256; deploy again");
  EXPECT_EQ(refusalOf(place({file("a")}) + frame("abc").substr(0, 9)), "the connection ended within a file");
}

TEST_F(HostileDesktop, RequestsThatAreNoneAreRefused) {
  EXPECT_THAT(refusalOf("[1]\n"), StartsWith("a request is refused: "));
  EXPECT_THAT(refusalOf("no json\n"), StartsWith("a request is refused: "));
  EXPECT_EQ(refusalOf(R"({"request": "delete", "version": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})" "\n"), "a request is refused: \"delete\" is not known; have place, ready");
  EXPECT_EQ(refusalOf("{\"request\""), "what was sent ends within a line");
}

class HostileAgent : public DeployTest {
 protected:
  // Its agent answers these lines, whatever it is asked.
  class Answering final : public hosts::Host {
   public:
    explicit Answering(std::string lines) : lines_(std::move(lines)) {}
    std::string name() const override { return "gpu1"; }
    std::unique_ptr<hosts::Process> start(const std::vector<std::string>&) override {
      return hosts::localHost("gpu1")->start({"sh", "-c", "printf %s \"$1\"; cat >/dev/null", "sh", lines_});
    }

   private:
    std::string lines_;
  };
  std::string failureWith(const std::string& lines) {
    Answering host(lines);
    return failureOf([&] { deploy::deploy(host); }, Errc::kHost);
  }
};

TEST_F(HostileAgent, AnswersThatCannotBeAreRefused) {
  const std::string refused = "gpu1: its paceline-agent gave an answer that is refused: ";
  EXPECT_EQ(failureWith("{\"there\": 1}\n"), refused + "/there: \"there\" must be true or false; it is 1.");
  EXPECT_THAT(failureWith("{\"there\"\n"), StartsWith(refused));
  EXPECT_EQ(failureWith("{\"there\": true}\n"), refused + "/folder: is required");
  EXPECT_EQ(failureWith("{\"there\": false}\n{\"placed\": 1}\n"), refused + "its answer has no list of missing files");
  EXPECT_EQ(failureWith("{\"there\": false}\n{\"missing\": [{\"sha256\": \"x\", \"have\": 0}]}\n"), refused + "it misses a file that was never meant");
  const std::string worker = deploy::programFiles().manifest.files[2].sha256;
  EXPECT_EQ(failureWith(strCat("{\"there\": false}\n{\"missing\": [{\"sha256\": \"", worker, "\", \"have\": -5}]}\n")), refused + "of paceline-worker it has -5 bytes");
  EXPECT_EQ(failureWith(strCat("{\"there\": false}\n{\"missing\": [{\"sha256\": \"", worker, "\", \"have\": 99999999999}]}\n")),
            refused + "of paceline-worker it has 99999999999 bytes");
}

TEST_F(HostileAgent, ItsErrorsAreToldWithTheHost) { EXPECT_EQ(failureWith("{\"error\": \"the disk is on fire\"}\n"), "gpu1: the disk is on fire"); }

TEST_F(HostileAgent, WhomItWaitsForIsTold) {
  Answering host("{\"there\": false}\n{\"waiting\": \"another deployment\\u0007 is under way\"}\n{\"error\": \"enough\"}\n");
  std::vector<std::string> waits;
  const deploy::DeployOptions options{.datasets = {}, .libraries = "", .onProgress = [&](const deploy::DeployProgress& p) { waits.push_back(p.waitsFor); }, .stop = {}};
  EXPECT_EQ(failureOf([&] { deploy::deploy(host, options); }, Errc::kHost), "gpu1: enough");
  EXPECT_EQ(waits, std::vector<std::string>{quotable("another deployment\a is under way")});
  EXPECT_EQ(failureWith("{\"waiting\": 1}\n"), "gpu1: its paceline-agent gave an answer that is refused: it waits for nothing that it can name");
}

TEST_F(HostileAgent, NoiseOfALoginShellIsSkipped) { EXPECT_EQ(failureWith("Welcome to gpu1!\n\n{\"error\": \"no\"}\n"), "gpu1: no"); }

TEST(EmptyLibrary, SatisfiesTheLoader) {
  const std::string folder = ::testing::TempDir();
  const std::string path = folder + "/libpaceline-empty.so.1";
  std::ofstream(path, std::ios::binary) << deploy::emptyLibrary("libpaceline-empty.so.1", deploy::readElf(fakeNode()).machine);
  const deploy::ElfFile read = deploy::readElf(path);
  EXPECT_EQ(read.soname, "libpaceline-empty.so.1");
  EXPECT_TRUE(read.needed.empty());
  const hosts::CommandResult run = hosts::runOn(*hosts::localHost("local", {{"LD_PRELOAD", path}, {"LD_TRACE_LOADED_OBJECTS", ""}}), {"/bin/true"});
  EXPECT_EQ(run.end.code, 0);
  EXPECT_EQ(run.end.errors, "") << "the loader ignores, and names, what it cannot load";
  fs::remove(path);
}

}  // namespace
}  // namespace paceline::tests
