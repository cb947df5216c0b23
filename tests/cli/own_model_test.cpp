// A model file and data of one's own, as a stranger uses them: confirmed, trained, and its weights taken home.
#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/hash.h"
#include "engine/core/record/weights.h"
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class OwnModel : public Desk {
 protected:
  OwnModel() {
    environment_["XDG_CONFIG_HOME"] = path("config");
    std::filesystem::copy_file(std::string(PACELINE_SOURCE_DIR) + "/tests/cli/fixtures/linear.pt", path("net.pt"));
    std::string table = "a,b,c,d,kind\n";  // three kinds that a line divides
    for (int i = 0; i < 90; ++i) table += strCat(i % 3, ",", (i * 7) % 5, ",", 2 - i % 3, ",", (i * 3) % 4, ",", i % 3, "\n");
    write("table.csv", table);
  }
  std::string document() {
    return write("own.json", Json{{"paceline", 1}, {"name", "own"}, {"algorithm", {{"id", "ssgd"}, {"params", {{"learning_rate", 0.5}}}}}, {"model", {{"id", "script"}, {"params", {{"path", path("net.pt")}}}}},
                                  {"dataset", {{"id", "tensors"}, {"params", {{"path", path("table.csv")}, {"inputs", "*"}, {"targets", "kind"}}}}}, {"batch_size", 12},
                                  {"nodes", {{{"id", "w0"}}, {{"id", "w1"}}, {{"id", "s0"}, {"role", "server"}}}}, {"evaluate", {{"every_rounds", 5}}}, {"checkpoint", {{"every_rounds", 10}}}, {"stop", {{"rounds", 30}}}}
                                 .dump());
  }
  std::string hashOfNet() const { return sha256OfFile(path("net.pt")); }
};

TEST_F(OwnModel, RunsAfterOneConfirmationOfItsContent) {
  const std::string asked = strCat(path("own.json"), ": /model/params/path: ", path("net.pt"), " is code that runs on the hosts of this run, and nobody has confirmed it yet (SHA-256 ", hashOfNet(),
                                   "). If you trust it: paceline model trust ", path("net.pt"));
  expectRefusal({"run", document()}, asked);
  const Outcome checked = paceline({"model", "check", path("net.pt"), "--dataset", "synthetic"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.err, HasSubstr("forward(): mat1 and mat2 shapes cannot be multiplied"));
  const Json found = json({"model", "check", path("net.pt"), "--json"});
  EXPECT_EQ(found["parameters"], 15);
  EXPECT_EQ(found["sha256"], hashOfNet());
  EXPECT_EQ(paceline({"model", "trust", path("net.pt")}).code, 0);
  const std::string said = paceline({"validate", document()}).out;
  EXPECT_THAT(said, HasSubstr(strCat("own.json: note: /model/params/path: ", path("net.pt"), " has 15 parameters; a step takes 12 samples of 4 float32\n")));
  EXPECT_THAT(said, HasSubstr("own.json: valid, a run"));

  const Json ran = json({"run", document(), "--json"});
  const std::string run = ran["runs"][0]["id"];
  EXPECT_EQ(ran["runs"][0]["state"], "finished");
  const Json shown = json({"show", run, "--json"});
  EXPECT_EQ(shown["spec"]["model"]["params"]["path"], strCat(path("net.pt"), "#sha256=", hashOfNet()));
  EXPECT_EQ(shown["spec"]["dataset"]["params"]["path"], strCat(path("table.csv"), "#sha256=", sha256OfFile(path("table.csv"))));

  for (const char* which : {"best", "last", "30", "20"}) {
    ASSERT_EQ(paceline({"export", run, "--format", "safetensors", "--weights", which, "-o", path("out.safetensors")}).code, 0) << which;
    const Weights weights = parseSafetensors(*fileText(path("out.safetensors")));
    ASSERT_EQ(weights.tensors.size(), 2U);
    EXPECT_EQ(weights.tensors[0].name, "dense.weight");
    EXPECT_EQ(weights.tensors[0].dims, (std::vector<std::int64_t>{3, 4}));
    EXPECT_EQ(weights.notes.at("run"), run);
    EXPECT_TRUE(std::string(which) != "20" || weights.notes.at("round") == "20");
  }
  expectRefusal({"export", run, "--format", "npz", "--weights", "10", "-o", path("x.npz")}, "run \"own\" has no weights \"10\"; there are best, last, round-000000000020, round-000000000030");
  EXPECT_THAT(paceline({"export", run, "--format", "npz", "--weights", "first", "-o", path("x.npz")}).err, HasSubstr("weights are best, last, or those of a checkpoint's round, not \"first\""));
}

// A Python file is confirmed together with what starts it.
TEST_F(OwnModel, InPythonIsConfirmedWithItsCommand) {
  const std::string file = write("net.py", "print('no model')\n"), python = "/model={\"id\": \"python\", \"params\": {\"path\": \"" + file + "\"}}";
  const auto findings = [&](const std::string& command) { return paceline({"validate", document(), "--set", python, "--set", "/model/params/command=" + command}).out; };
  EXPECT_THAT(findings("python3"), HasSubstr(strCat(file, " is code that runs on the hosts of this run, started by \"python3\", and nobody has confirmed it yet (SHA-256 ", sha256OfFile(file),
                                                    "). If you trust it: paceline model trust ", file, " --command \"python3\"")));
  EXPECT_THAT(paceline({"model", "trust", file}).out, HasSubstr(strCat("may run python3 ", file, " (SHA-256 ", sha256OfFile(file), ")")));
  EXPECT_THAT(findings("python3"), HasSubstr("own.json: valid, a run"));
  EXPECT_THAT(findings("bash -c"), HasSubstr("started by \"bash -c\", and nobody has confirmed it yet"));
}

TEST_F(OwnModel, ThatChangesIsAnotherOne) {
  paceline({"model", "trust", path("net.pt")});
  const std::string pinned = hashOfNet();
  std::ofstream(path("net.pt"), std::ios::app) << ' ';
  EXPECT_THAT(paceline({"validate", document()}).out, HasSubstr(strCat("nobody has confirmed it yet (SHA-256 ", hashOfNet())));
  EXPECT_THAT(paceline({"validate", document(), "--set", strCat("/model/params/path=", path("net.pt"), "#sha256=", pinned)}).out,
              HasSubstr(strCat("net.pt has changed: its SHA-256 is ", hashOfNet(), ", the document names ", pinned, ". Leave out #sha256=... to take it as it is now.")));
  EXPECT_THAT(paceline({"validate", document(), "--set", "/model/params/path=net.pt"}).out, HasSubstr(strCat("/model/params/path: ", path("net.pt"), " is code")));  // beside the document
  EXPECT_THAT(paceline({"validate", document(), "--set", "/dataset/params/path=/nowhere/x.npz"}).out, HasSubstr("/dataset/params/path: warning: /nowhere/x.npz is not on this computer: it must be there on every host of this run"));
  std::filesystem::remove(path("net.pt"));
  EXPECT_THAT(paceline({"validate", document()}).out, HasSubstr(strCat("/model/params/path: cannot read ", path("net.pt"), ": No such file or directory")));
  EXPECT_THAT(paceline({"validate", document(), "--set", "/model/params/path="}).out, HasSubstr("/model/params/path: must name a file"));
}

TEST_F(OwnModel, ADamagedListOfConfirmationsIsNotWrittenOver) {
  const std::string list = path("config/paceline/trusted.json"), damaged = R"({"0123": {"path")";
  ASSERT_EQ(paceline({"model", "trust", path("net.pt")}).code, 0);
  std::ofstream(list) << damaged;
  const Outcome refused = paceline({"model", "trust", path("net.pt")});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr(strCat(list, ": is not JSON: line 1")));
  EXPECT_EQ(*fileText(list), damaged);
}

}  // namespace
}  // namespace paceline::tests
