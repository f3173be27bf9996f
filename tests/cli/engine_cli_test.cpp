// `stillpoint modes` with an engine of another program: the folder in two steps, and what is said where a program, MPI
// or a rank is missing. No MPI is needed: scripts take the places of mpirun and of the engine.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/engines/dense_engine.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

std::string modes(const std::string& more) { return "modes " + case_folder("four_bar") + " --set N=3 " + more; }

std::string script(const ScratchFolder& folder, const std::string& name, const std::string& text) {
  const std::string path = folder.write(name, "#!/bin/sh\n" + text + "\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

/// The tool alone in a folder, so that no engine is beside it, with these programs in PATH.
Answer run_with_programs(const ScratchFolder& folder, const std::string& arguments) {
  std::filesystem::create_directories(folder / "alone");
  return shell("ln -f \"$TOOL\" '" + (folder / "alone/stillpoint") + "' 2>/dev/null || cp \"$TOOL\" '" +
               (folder / "alone/stillpoint") + "'\nTMPDIR='" + (folder / "temporary") + "' PATH='" + (folder / "bin") +
               "' '" + (folder / "alone/stillpoint") + "' " + arguments);
}

/// Exit code and stderr of the tool where the engine is a script, and mpirun starts it.
void check_failure(const std::string& engine, int code, const std::string& text) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "temporary");
  script(folder, "bin/mpirun", "shift 2\nexec \"$@\"");
  script(folder, "bin/stillpoint-slepc-real", engine);
  const Answer answer = run_with_programs(folder, modes("--engine slepc --ranks 2"));
  CHECK(answer.code == code);
  CHECK(answer.out == "");
  CHECK_MESSAGE(contains(answer.err, text), answer.err);
  CHECK(std::filesystem::is_empty(folder / "temporary"));
}

}  // namespace

TEST_CASE("an engine in two steps: the folder is written, answered by another program, and read") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "request";
  const Answer written = run(modes("--engine-write '" + folder + "'"));
  CHECK_MESSAGE(written.code == 0, written.err);
  CHECK(contains(written.out, "mpirun -n RANKS stillpoint-slepc-real"));
  check_refused(modes("--engine-read '" + folder + "'"), "answer.json: does not exist: the engine has not answered");
  testing::run_dense_engine(folder);
  const Answer read = run(modes("--json --engine-read '" + folder + "'"));
  CHECK_MESSAGE(read.code == 0, read.err);
  const auto answered = nlohmann::json::parse(read.out);
  const auto serial = nlohmann::json::parse(run(modes("--json --engine sparse --count 1")).out);
  CHECK(answered["verdict"] == serial["verdict"]);
  CHECK(answered["count"]["certified"] == true);
  REQUIRE(answered["modes"].size() == serial["modes"].size());
  const double s = answered["modes"][0]["s"][1], expected = serial["modes"][0]["s"][1];
  CHECK(std::abs(s - expected) <=
        answered["modes"][0]["error"].get<double>() + serial["modes"][0]["error"].get<double>() + 1e-14 * expected);
  CHECK(contains(run(modes("--engine-read '" + folder + "'")).out, "another program: it was asked for"));
  CHECK(run(modes("--engine slepc --engine-read '" + folder + "'")).code == 0);
  check_refused(modes("--set k=7 --engine-read '" + folder + "'"), "another request");
}

TEST_CASE("a mode that an engine has left out ends with exit code 1") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "request";
  run(modes("--engine-write '" + folder + "'"));
  testing::run_dense_engine(folder, testing::Misdeed::drop_a_mode);
  const Answer answer = run(modes("--engine-read '" + folder + "'"));
  CHECK(answer.code == 1);
  CHECK_MESSAGE(
      contains(answer.out, "2 eigenvalues were counted by the inertia of two factorisations, and 0 were found"),
      answer.out);
}

TEST_CASE("what is missing is named with the command that brings it") {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "temporary");
  std::filesystem::create_directories(folder / "bin");
  const Answer without_engine = run_with_programs(folder, modes("--engine slepc"));
  CHECK(without_engine.code == 2);
  CHECK_MESSAGE(
      contains(without_engine.err, "'stillpoint-slepc-real' is neither beside this one nor in PATH: './dev engine'"),
      without_engine.err);
  script(folder, "bin/stillpoint-slepc-real", "exit 0");
  const Answer without_mpi = run_with_programs(folder, modes("--engine slepc"));
  CHECK(without_mpi.code == 2);
  CHECK_MESSAGE(contains(without_mpi.err, "there is no 'mpirun' in PATH"), without_mpi.err);
  CHECK(std::filesystem::is_empty(folder / "temporary"));
}

TEST_CASE("an engine that fails, is killed, or does not answer ends with its last words and leaves nothing") {
  check_failure("echo 'stillpoint-slepc: MUMPS fails with INFOG(1) = -13: not enough memory' >&2; echo noise; exit 1",
                1, "the engine ended with exit code 1: MUMPS fails with INFOG(1) = -13: not enough memory");
  check_failure("kill -9 $$", 1, "exit code 137");
  check_failure("echo 'mpirun noticed that process rank 1 exited on signal 9 (Killed).'; echo ---------; exit 137", 1,
                "rank 1 exited on signal 9 (Killed)");
  check_failure("exit 0", 2, "answer.json: does not exist: the engine has not answered");
  check_failure("exit 3", 1, "the engine ended with exit code 3, without a word");
}

TEST_CASE("an mpirun that goes on without ranks, as Open MPI's does on a full disk, is ended") {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "temporary");
  script(folder, "bin/mpirun", "shift 2\n\"$@\" &\nexec /bin/sleep 100");  // a zombie remains
  script(folder, "bin/stillpoint-slepc-real",
         "/bin/sleep 0.5\necho '[host:1] PMIX ERROR: OUT-OF-RESOURCE in file dstore_segment.c'\necho '  Exit code: "
         "1'\nexit 1");
  const Answer answer = run_with_programs(folder, modes("--engine slepc"));
  CHECK(answer.code == 1);
  CHECK_MESSAGE(contains(answer.err, "the engine ended with exit code 137: [host:1] PMIX ERROR: OUT-OF-RESOURCE"),
                answer.err);
  CHECK(std::filesystem::is_empty(folder / "temporary"));
}

TEST_CASE("where the tool is interrupted the engine ends, too, and nothing is left") {
  const ScratchFolder folder;
  for (const char* part : {"temporary", "alone"}) std::filesystem::create_directories(folder / part);
  script(folder, "bin/mpirun", "shift 2\nexec \"$@\"");
  script(folder, "bin/stillpoint-slepc-real", "echo $$ >'" + (folder / "pid") + "'\nexec /bin/sleep 100");
  const Answer answer = shell("cp \"$TOOL\" '" + (folder / "alone/stillpoint") + "'\npid='" + (folder / "pid") +
                              "'\nTMPDIR='" + (folder / "temporary") + "' PATH=\"" + (folder / "bin") + ":$PATH\" '" +
                              (folder / "alone/stillpoint") + "' " + modes("--engine slepc") +
                              " & tool=$!\nfor k in $(seq 300); do [ -s \"$pid\" ] && break; sleep 0.1; done\n"
                              "kill -TERM $tool; wait $tool; echo \"code $?\"\n"
                              "for k in $(seq 50); do kill -0 $(cat \"$pid\") 2>/dev/null || break; sleep 0.1; done\n"
                              "kill -0 $(cat \"$pid\") 2>/dev/null && echo alive");
  CHECK(answer.out == "code 143\n");
  CHECK(contains(answer.err, "no file is left half written"));
  CHECK(std::filesystem::is_empty(folder / "temporary"));
}

TEST_CASE("options of engines that contradict each other are refused") {
  check_refused(modes("--ranks 2"), "--ranks belongs to --engine slepc");
  check_refused(modes("--engine sparse --engine-write x"), "--engine sparse is one of our own");
  check_refused(modes("--engine-write x --engine-read y"), "--engine-read");
  check_refused(modes("--engine slepc --method ucs"), "--method ucs is a computation of its own");
  check_refused(modes("--engine slepc --basis svd"), "--engine slepc needs none");
  check_refused(modes("--engine-write x --all"), "not all, nor the unstable");
  check_refused(modes("--engine-write x --unstable"), "not all, nor the unstable");
  check_refused("compare " + case_folder("four_bar") + " --engine slepc", "slepc");
}

TEST_CASE("a full disk: no folder is left behind") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "request";
  const Answer answer = shell("ulimit -f 1; \"$TOOL\" " + modes("--set N=400 --engine-write '" + folder + "'"));
  CHECK(answer.code == 2);
  CHECK_MESSAGE(contains(answer.err, "cannot be written"), answer.err);
  CHECK_FALSE(std::filesystem::exists(folder));
}
