// Strange input, full disks and closed streams: the tool answers or refuses with a sentence, and never aborts.

#include <filesystem>

#include "support/cli/poison.h"
#include "support/matrix_folders.h"
#include "support/sanitized.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

namespace fs = std::filesystem;

/// A folder with matrices of order one; C only if it is not empty.
std::string one_by_one(const ScratchFolder& scratch, const std::string& M, const std::string& K, const std::string& C) {
  const auto text = [](const std::string& value) {
    return "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 " + value + "\n";
  };
  scratch.write("system/M.mtx", text(M));
  scratch.write("system/K.mtx", text(K));
  if (!C.empty()) scratch.write("system/C.mtx", text(C));
  return scratch / "system";
}

/// The exit code is one of those given, and stderr or stdout holds a text.
void check_answer(const std::string& command, std::initializer_list<int> codes, const std::string& text) {
  CAPTURE(command);
  const Answer answer = shell(command);
  CHECK_MESSAGE(std::count(codes.begin(), codes.end(), answer.code) == 1, answer.code << ": " << answer.err);
  CHECK_MESSAGE((contains(answer.err, text) || contains(answer.out, text)), answer.err << answer.out);
}

}  // namespace

TEST_CASE("reliability: eigenvalues beyond the range of double precision are refused, not written past an array") {
  const ScratchFolder scratch;
  const std::string folder = one_by_one(scratch, "0.5", "1e-16", "1.7976931348623157e308");
  for (const char* const options : {"", "--engine sparse", "--method rcs", "--method ucs", "--all"})
    check_answer("\"$TOOL\" modes '" + folder + "' " + options, {2}, "range of double precision");
}

TEST_CASE("reliability: frequencies that underflow or overflow are no zeros") {
  const ScratchFolder scratch;
  for (const auto& [M, K] : {std::pair("1e200", "1e-200"), {"1e-300", "1e300"}, {"1.7976931348623157e308", "1"}}) {
    const std::string folder = one_by_one(scratch, M, K, "");
    for (const char* const verb : {"modes", "modes --engine sparse", "modes --all", "compare"})
      check_answer(std::string("\"$TOOL\" ") + verb + " '" + folder + "'", {2}, "choose other units");
  }
  const std::string wide = one_by_one(scratch, "1e-140", "1e140", "");
  check_answer("\"$TOOL\" modes '" + wide + "'", {0}, "stable");
}

TEST_CASE("reliability: denormal numbers give an answer or a sentence") {
  const ScratchFolder scratch;
  const std::string folder = one_by_one(scratch, "1e-310", "1e-310", "");
  for (const char* const options : {"", "--engine sparse", "--method rcs", "--all", "--json"}) {
    const Answer answer = run("modes '" + folder + "' " + options);
    CAPTURE(options);
    CHECK_MESSAGE((answer.code == 0 || answer.code == 1), answer.code << ": " << answer.err);
  }
}

TEST_CASE("reliability: a model without coordinates goes through every verb") {
  const ScratchFolder scratch;
  const std::string model = scratch.write("e.yaml", "stillpoint: 1\nmechanism: []\n");
  for (const char* const arguments :
       {"check", "equilibrium", "modes", "modes --all", "modes --engine sparse", "modes --engine spectra",
        "modes --engine dense", "modes --engine qz", "modes --method rcs", "modes --method rcs --engine sparse",
        "modes --method ucs", "modes --method ucs --engine sparse", "modes --unstable", "modes --count 3",
        "modes --json", "compare", "compare --engine sparse", "sparsity"}) {
    const Answer answer = run(std::string(arguments) + " '" + model + "'");
    CAPTURE(arguments);
    CHECK_MESSAGE((answer.code == 0 || answer.code == 1), answer.code << ": " << answer.err);
  }
  check_answer("\"$TOOL\" linearize '" + model + "' -o '" + scratch / "out" + "'", {0, 2}, "");
}

TEST_CASE("reliability: model.json with a number out of range, with deep nesting, or that is a folder") {
  const ScratchFolder scratch;
  const std::string folder = one_by_one(scratch, "1", "1", "");
  scratch.write("system/model.json", "{\"rank\": 1e400}");
  check_answer("\"$TOOL\" modes '" + folder + "'", {2}, "not valid JSON");
  scratch.write("system/model.json",
                "{\"rank\":{\"value\":" + std::string(500'000, '[') + std::string(500'000, ']') + "}}");
  check_answer("\"$TOOL\" modes '" + folder + "'", {2}, "levels deep");
  fs::remove(folder + "/model.json");
  fs::create_directory(folder + "/model.json");
  check_answer("\"$TOOL\" modes '" + folder + "'", {2}, "is a folder");
}

TEST_CASE("reliability: devices and endless lines are refused") {
  const ScratchFolder scratch;
  check_answer("\"$TOOL\" check /dev/zero", {2}, "is a device");
  const std::string folder = one_by_one(scratch, "1", "1", "");
  scratch.write("system/K.mtx", std::string(3'000'000, '1'));
  check_answer("\"$TOOL\" modes '" + folder + "'", {2}, "longer than");
}

TEST_CASE("reliability: streams that are closed or full change no exit code and abort nothing") {
  const ScratchFolder scratch;
  check_answer("\"$TOOL\" modes nope 2>&-", {2}, "");
  check_answer("\"$TOOL\" modes nope 2>/dev/full", {2}, "");
  check_answer("\"$TOOL\" --help >/dev/full", {2}, "could not be written");
  check_answer("\"$TOOL\" new >/dev/full", {2}, "could not be written");
  check_answer("\"$TOOL\" check " + case_folder("four_bar") + " 2>&-", {0}, "");
}

TEST_CASE("reliability: a folder that was deleted is no reason to abort") {
  const ScratchFolder scratch;
  one_by_one(scratch, "1", "1", "");
  fs::create_directory(scratch / "here");
  check_answer("cd '" + scratch / "here" + "' && rmdir ../here && \"$TOOL\" modes ../system", {0, 2}, "");
}

TEST_CASE("reliability: a file that grows too large is an error, and nothing is left of it") {
  const ScratchFolder scratch;
  check_answer("cd '" + scratch / "." + "' && (ulimit -f 1; \"$TOOL\" export " + case_folder("four_bar") +
                   " --set N=40 --input phi --output phi -o u.npz)",
               {2}, "cannot be written");
  CHECK(fs::is_empty(scratch / "."));
}

TEST_CASE("reliability: long texts are not repeated in full") {
  const ScratchFolder scratch;
  const std::string model =
      scratch.write("long.yaml", "stillpoint: 1\nparameters: {a: " + std::string(200'000, 'x') + "}\nmechanism: []\n");
  const Answer answer = run("check '" + model + "'");
  CHECK(answer.code == 2);
  CHECK_MESSAGE(answer.err.size() < 1500, answer.err.size());
  CHECK(contains(answer.err, "bytes) …"));
}

TEST_CASE("reliability: ten thousand parameters are read in a moment") {
  const ScratchFolder scratch;
  std::string text = "stillpoint: 1\nparameters:\n  p0: 1\n";
  for (int i = 1; i <= 10'000; ++i) text += "  p" + std::to_string(i) + ": p" + std::to_string(i - 1) + " + 1\n";
  const std::string model = scratch.write("many.yaml", text + "mechanism: []\n");
  check_answer("timeout 60 \"$TOOL\" check '" + model + "'", {0}, "");  // 7 s and more when it was quadratic
}

TEST_CASE("reliability: a folder is replaced as a whole") {
  const ScratchFolder scratch;
  const std::string four_bar = case_folder("four_bar"), out = scratch / "out";
  REQUIRE(run("linearize " + four_bar + " -o '" + out + "'").code == 0);
  scratch.write("out/notes.txt", "mine");
  scratch.write("out/sub/more.txt", "mine too");
  scratch.write("out/null_vectors.mtx", "old");

  SUBCASE("files and folders of others stay, old matrices go") {
    REQUIRE(run("linearize " + four_bar + " --set N=2 -o '" + out + "'").code == 0);
    CHECK(content_of(out + "/notes.txt") == "mine");
    CHECK(content_of(out + "/sub/more.txt") == "mine too");
    CHECK(!fs::exists(out + "/null_vectors.mtx"));
    CHECK(run("modes '" + out + "'").code == 0);
  }
  SUBCASE("a full disk leaves the old one") {
    const std::string before = content_of(out + "/M.mtx");
    check_answer("(ulimit -f 1; \"$TOOL\" linearize " + four_bar + " --set N=200 -o '" + out + "')", {2},
                 "cannot be written");
    CHECK(content_of(out + "/M.mtx") == before);
    CHECK(content_of(out + "/null_vectors.mtx") == "old");
  }
  SUBCASE("the folder one stands in keeps its identity") {
    fs::remove(out + "/null_vectors.mtx");
    check_answer("cd '" + out + "' && \"$TOOL\" linearize " + four_bar + " --set N=3 -o . && ls M.mtx notes.txt", {0},
                 "M.mtx");
    CHECK(content_of(out + "/notes.txt") == "mine");
  }
  const auto count = std::distance(fs::directory_iterator(scratch / "."), fs::directory_iterator());
  CHECK(count == 1);  // no part is left beside it
}

TEST_CASE("reliability: what a killed program left is removed later") {
  const ScratchFolder scratch;
  const std::string old = scratch.write("plant.json.999999999.part", "half"),
                    fresh = scratch.write("plant.json.999999998.part", "half"),
                    other = scratch.write("other.json.999999999.part", "half");
  for (const std::string& path : {old, other})
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
  REQUIRE(
      run("export " + case_folder("four_bar") + " --input phi --output phi -o '" + scratch / "plant.json" + "'").code ==
      0);
  CHECK(!fs::exists(old));
  CHECK(fs::exists(fresh));
  CHECK(fs::exists(other));
}

TEST_CASE("reliability: poisoned matrices are answered or refused") {
  const ScratchFolder scratch;
  const auto runs = static_cast<std::uint64_t>(draws(400, 100));
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const auto poison = seed % 2 == 0 ? testing::Poison::mild : testing::Poison::strong;
    const testing::PoisonedRun run = testing::run_poisoned(seed, poison, STILLPOINT_TOOL, scratch / "run");
    const std::string fault = run.fault();
    CHECK_MESSAGE(fault.empty(), "seed " << seed << ", " << run.arguments << ": " << fault);
  }
}
