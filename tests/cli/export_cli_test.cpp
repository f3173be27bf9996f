// The verb `export` from outside: what it writes, what it refuses, and what is left when writing fails.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/sha256.h"
#include "support/clients.h"
#include "support/matrix_folders.h"

using namespace stillpoint;
using ExportJson = nlohmann::json;

namespace {

const std::string cart_pole = case_folder("cart_pole"), four_bar = case_folder("four_bar");
const std::string upright = cart_pole + " --rest nearest --input u --output cart.x,pole.phi";
const std::string docs = STILLPOINT_SOURCE_DIR "/docs";

std::string quoted(const std::string& path) { return " -o '" + path + "'"; }

ExportJson exported(const std::string& arguments) {
  const ScratchFolder folder;
  const Answer answer = run("export " + arguments + quoted(folder / "plant.json"));
  CHECK_MESSAGE(answer.code == 0, answer.err);
  return ExportJson::parse(content_of(folder / "plant.json"));
}

/// Not exported, with this exit code and text; nothing is written.
void check_not_exported(const std::string& arguments, int code, const std::string& text) {
  CAPTURE(arguments);
  const ScratchFolder folder;
  const std::string path = folder.write("plant.json", "older");
  const Answer answer = run("export " + arguments + quoted(path));
  CHECK(answer.code == code);
  CHECK(answer.out == "");
  CHECK_MESSAGE(contains(answer.err, text), answer.err);
  CHECK(content_of(path) == "older");
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    files.push_back(entry.path().filename().string());
  return files;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// What is written

TEST_CASE("export: the upright cart-pole is the one of the books") {
  // ẍ = (m g φ + u)/M, φ̈ = ((M + m) g φ + u)/(M l) with φ from the vertical: M = 10, m = 1, l = 0.5, g = 9.81
  const ExportJson plant = exported(upright);
  CHECK(plant["schema"] == "stillpoint.plant/1");
  CHECK(plant["StateName"] == ExportJson{"cart.x", "pole.phi", "cart.x'", "pole.phi'"});
  CHECK(plant["InputName"] == ExportJson{"u"});
  CHECK(plant["OutputName"] == ExportJson{"cart.x", "pole.phi"});
  const double A[4][4] = {{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0.981, 0, 0}, {0, 21.582, 0, 0}}, B[4] = {0, 0, 0.1, 0.2};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) CHECK(std::abs(plant["A"][i][j].get<double>() - A[i][j]) < 1e-13);
    CHECK(std::abs(plant["B"][i][0].get<double>() - B[i]) < 1e-15);
  }
  CHECK(plant["StateUnit"] == ExportJson{"m", "rad", "m/s", "rad/s"});
  CHECK(std::abs(plant["Offsets"]["x"][1].get<double>() - M_PI) < 1e-12);
  CHECK(plant["modes"]["s"].size() == 4);
  CHECK(plant["origin"]["overrides"] == ExportJson::array());
}

TEST_CASE("export: a person reads what was written, and the file tells where it is from") {
  const ScratchFolder folder;
  const std::string path = folder / "a plant.json";
  const Answer answer = run("export " + upright + quoted(path));
  CHECK(answer.code == 0);
  CHECK(answer.err == "");
  CHECK(answer.out ==
        "cart_pole\n"
        "  form        state-space by mcs\n"
        "  states      4: cart.x, pole.phi, cart.x', pole.phi'\n"
        "  inputs      u\n"
        "  outputs     cart.x, pole.phi\n"
        "  poles       4, unstable\n"
        "  written to  " +
            path + "\n");
  const ExportJson origin = ExportJson::parse(content_of(path))["origin"];
  CHECK(origin["version"] == run("--version").out.substr(11, origin["version"].get<std::string>().size()));
  CHECK(origin["command"] == "stillpoint export " STILLPOINT_SOURCE_DIR
                             "/cases/cart_pole --rest nearest --input u --output cart.x,pole.phi -o '" +
                                 path + "'");
  CHECK(origin["model_hash"] == sha256(content_of(STILLPOINT_SOURCE_DIR "/cases/cart_pole/model.yaml")));
  CHECK(origin["date"].get<std::string>().size() == 20);
}

TEST_CASE("base: SHA-256 is that of sha256sum, whatever the length") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-4
  const ScratchFolder folder;
  for (const std::size_t length : {55, 56, 63, 64, 65, 119, 120, 1000}) {
    const std::string text(length, '\xe9');
    const Answer answer = shell("sha256sum '" + folder.write("text", text) + "'");
    CHECK(answer.out.substr(0, 64) == sha256(text));
  }
}

TEST_CASE("export: of a folder of matrices the hash is that of its files, one after the other") {
  const ScratchFolder folder;
  REQUIRE(run("linearize " + cart_pole + " -o '" + folder / "matrices" + "'").code == 0);
  const ExportJson plant = exported("'" + folder / "matrices" + "' --output pole.phi");
  const Answer answer = shell("cd '" + folder / "matrices" + "' && LC_ALL=C && cat *.mtx model.json | sha256sum");
  CHECK(plant["origin"]["model_hash"] == answer.out.substr(0, 64));
}

TEST_CASE("export: each form and method that there is, and no other") {
  CHECK(exported(upright)["form"] == "state-space");
  CHECK(exported(upright + " --form second-order")["M"]["shape"] == ExportJson{2, 2});
  CHECK(exported(upright + " --form modal")["form"] == "modal");
  CHECK(exported(upright + " --form descriptor")["method"] == "rcs");
  CHECK(exported(upright + " --method rcs")["form"] == "descriptor");
  const ExportJson penalty = exported(upright + " --method ucs --alpha 1e6");
  CHECK(penalty["form"] == "state-space");
  CHECK(penalty["A"].size() == 12);
  CHECK(contains(penalty["notes"][0], "approximate: penalty method with alpha = 1e+06"));
  const ExportJson corrected = exported(upright + " --method ucs --corrected");
  CHECK(corrected["A"].size() == 12);
  CHECK(contains(corrected["notes"][0], "corrected penalty method with alpha = "));
  CHECK(corrected["InputUnit"] == ExportJson{"N"});
  for (const std::string form : {"", " --method mcs", " --form descriptor"})
    check_not_exported(upright + form + " --corrected", 2, "--corrected belongs to --method ucs");
  for (const std::string option : {" --alpha 1e6", " --xi 0.5", " --omega 20"})
    check_not_exported(upright + option, 2, "--alpha, --xi and --omega belong to --method ucs");
  for (const std::string option : {" --tangent svd", " --independent pole.phi,pole.x"}) {
    for (const std::string form : {" --form descriptor", " --method ucs"})
      check_not_exported(upright + form + option, 2, "--basis and --independent belong to --method mcs");
  }
  check_not_exported(upright + " --form descriptor --method ucs", 2,
                     "--form descriptor is not made by --method ucs: mcs gives state-space, second-order and modal");
  check_not_exported(upright + " --form statespace", 2, "--form: statespace not in");
}

TEST_CASE("export: a reduced plant has the order that was asked for, tells its error, and Octave verifies it") {
  require_octave();
  const ScratchFolder folder;
  const std::string damped = case_folder("actuated_four_bar") + " --output crank",
                    pendulum = case_folder("flexible_double_pendulum");
  std::string script = "addpath ('" + docs + "'); pkg load control;";
  const std::vector<std::pair<std::string, std::string>> all{
      {pendulum, "--reduce modal --order 6"},
      {pendulum, "--reduce modal --order 6 --keep gramian"},
      {pendulum, "--reduce krylov --order 6 --match 0.5,2 --anyway"},  // too few for so many beams
      {pendulum, "--reduce craig-bampton --order 6 --boundary upper.phi"},
      {damped, "--reduce balanced --order 1"}};
  for (const auto& wanted : all) {
    CAPTURE(wanted.second);
    const std::string path = folder / "plant" + std::to_string(script.size()) + ".mat";
    const Answer answer = run("export " + wanted.first + " --quiet " + wanted.second + quoted(path));
    CHECK_MESSAGE(answer.code == 0, answer.err);
    CHECK(contains(answer.out, "  note        reduced from "));
    CHECK(contains(answer.out, "  note        its frequency response is off by up to "));
    script += "stillpoint_load ('" + path + "', 'verify');";
  }
  const Answer answer = shell("octave-cli --norc --eval \"" + script + "\"");
  CHECK_MESSAGE(answer.code == 0, answer.err);
}

TEST_CASE("export: reductions are told what to keep and where to match, in Hz") {
  const std::string pendulum = case_folder("flexible_double_pendulum") + " --quiet --output tip.x --reduce ";
  const auto slowest = [&](const std::string& keep) {
    const ExportJson A = exported(pendulum + "modal --order 2" + keep)["A"];
    return std::abs(A[0][1].get<double>());
  };
  CHECK(slowest("") == slowest(" --keep frequency"));
  const ExportJson modes = exported(pendulum + "modal --order 2")["modes"]["s"];
  CHECK(slowest("") == modes[0][1].get<double>());
  CHECK(slowest(" --keep participation") > 2 * slowest(""));
  const ExportJson matched = exported(pendulum + "krylov --order 4 --match 0.5 --anyway"),
                   exact = ExportJson::parse(run("response " + case_folder("flexible_double_pendulum") +
                                                 " --quiet --output tip.x --from 0.5 --to 2 --points 2 --json")
                                                 .out)["pairs"][0]["response"];
  // By its matrices at s = 2πi · 0.5 it has the value of the whole there.
  Eigen::MatrixXcd A = Eigen::MatrixXcd::Zero(4, 4);
  Eigen::VectorXcd B(4), C(4);
  for (Eigen::Index i = 0; i < 4; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (Eigen::Index j = 0; j < 4; ++j) A(i, j) = -matched["A"][row][static_cast<std::size_t>(j)].get<double>();
    A(i, i) += std::complex<double>(0, M_PI);
    B[i] = matched["B"][row][0].get<double>();
    C[i] = matched["C"][0][row].get<double>();
  }
  const std::complex<double> found = C.transpose() * A.partialPivLu().solve(B),
                             expected(exact[0][0].get<double>(), exact[0][1].get<double>());
  CHECK(std::abs(found - expected) < 1e-8 * std::abs(expected));
}

TEST_CASE("export: options of a reduction without it, or of another one, are refused") {
  check_not_exported(upright + " --order 3", 2, "--order belongs to --reduce, which names the reduction");
  check_not_exported(upright + " --reduce krylov --keep gramian", 2, "--keep belongs to --reduce modal");
  check_not_exported(upright + " --keep frequency", 2, "--keep belongs to --reduce modal");
  check_not_exported(upright + " --reduce modal --order 0", 2, "--order: 0 is not a number above zero\n");
  check_not_exported(upright + " --reduce krylov --match 1,-1", 2, "--match: -1 is not zero or a number above it\n");
  check_not_exported(upright + " --reduce modal --boundary cart.x", 2, "--boundary belongs to --reduce craig-bampton");
  check_not_exported(upright + " --reduce modal --match 1", 2, "--match belongs to --reduce krylov");
  for (const std::string form : {"--form modal", "--form descriptor", "--method ucs", "--method rcs"})
    check_not_exported(upright + " --reduce balanced " + form, 2,
                       "--reduce balanced makes a state space of the minimal form: leave out --form and --method");
}

TEST_CASE("export: --tangent and --independent choose the states as for modes") {
  CHECK(exported(upright + " --independent pole.phi,pole.x")["StateName"] ==
        ExportJson{"pole.x", "pole.phi", "pole.x'", "pole.phi'"});
  CHECK(exported(upright + " --tangent svd")["StateName"][0] == "t[1]");
}

TEST_CASE("export: Octave verifies every form of real mechanisms") {
  require_octave();
  const ScratchFolder folder;
  std::string script = "addpath ('" + docs + "'); pkg load control;";
  int count = 0;
  const std::string long_four_bar = four_bar + " --set N=10 --set c=1 --input phi --output phi,B[3].x";
  for (const std::string& what :
       {upright, long_four_bar, case_folder("slider_crank") + " --input crank.phi --output slider.x",
        case_folder("drive_train"), case_folder("base_excited"), case_folder("actuated_four_bar"),
        case_folder("flexible_double_pendulum"), case_folder("flexible_double_pendulum") + " --set n_p=12"}) {
    for (const std::string form : {"--form state-space", "--form second-order", "--form modal", "--form descriptor",
                                   "--method ucs", "--method ucs --corrected"}) {
      const std::string path = folder / std::to_string(++count) + ".mat";
      CAPTURE(what + " " + form);
      const Answer answer = run("export --quiet " + what + " " + form + quoted(path));
      CHECK_MESSAGE(answer.code == 0, answer.err);
      script += "stillpoint_load ('" + path + "', 'verify');";
    }
  }
  const Answer answer = shell("octave-cli --norc --eval \"" + script + "\"");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  std::istringstream lines(answer.out);
  int verified = 0, rounded = 0;
  for (std::string line; std::getline(lines, line);) {
    verified += contains(line, "the frequency response differs by ");
    rounded += contains(line, "flexible_double_pendulum: rounding of its entries alone may change it by as much");
  }
  CHECK(verified == count);
  CHECK(rounded >= 2);  // explicit forms of stiff beams lose digits, whoever solves them
  CHECK(rounded <= 6);
}

namespace {

using Complex = std::complex<double>;

std::vector<Complex> complex_list(const ExportJson& pairs) {
  std::vector<Complex> values;
  for (const ExportJson& pair : pairs) values.emplace_back(pair[0].get<double>(), pair[1].get<double>());
  return values;
}

/// Each of `modes` is there, within its error bound and the rounding of a small eigenvalue problem.
void check_poles(const ExportJson& modes, const std::vector<Complex>& found) {
  constexpr double rounding = 1e-13;  // relative to the largest
  const std::vector<Complex> expected = complex_list(modes["s"]);
  REQUIRE(found.size() == expected.size());
  double largest = 0;
  for (const Complex s : expected) largest = std::max(largest, std::abs(s));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    double distance = largest;
    for (const Complex s : found) distance = std::min(distance, std::abs(s - expected[k]));
    CHECK(distance <= modes["error"][k].get<double>() + rounding * largest);
  }
}

/// In the channels that both have: the rates of a prescribed motion, which come last, are none of a descriptor form.
void check_same_gain(const ExportJson& a, const ExportJson& b) {
  constexpr double rounding = 1e-12;  // relative to the largest: of two ways to solve for a few states
  double largest = 0;
  for (const ExportJson& row : a) {
    for (const double gain : row) largest = std::max(largest, std::abs(gain));
  }
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t common = std::min(a[i].size(), b[i].size());
    CHECK(common > 0);
    for (std::size_t j = 0; j < common; ++j)
      CHECK(std::abs(a[i][j].get<double>() - b[i][j].get<double>()) <= rounding * largest);
  }
}

}  // namespace

TEST_CASE("export: Python finds the poles of `modes` within their error bounds, and one gain at rest in every form") {
  require_python();
  const std::vector<std::string> forms{"state-space", "modal", "second-order", "descriptor"};
  for (const std::string& what :
       {case_folder("actuated_four_bar"), four_bar + " --set c=1 --set N=3 --input phi --output phi,B[1].x",
        case_folder("base_excited")}) {
    CAPTURE(what);
    const ScratchFolder folder;
    std::string paths;
    for (const std::string& form : forms) {
      const std::string path = folder / form + ".json";
      REQUIRE(run("export " + what + " --form " + form + quoted(path)).code == 0);
      paths += " '" + path + "'";
    }
    const Answer answer =
        shell("'" + python + "' '" STILLPOINT_SOURCE_DIR "/tests/support/plants/tell.py' system ''" + paths);
    REQUIRE_MESSAGE(answer.code == 0, answer.err);
    std::istringstream lines(answer.out);
    ExportJson gain;
    for (const std::string& form : forms) {
      CAPTURE(form);
      std::string line;
      REQUIRE(std::getline(lines, line));
      const ExportJson found = ExportJson::parse(line);
      if (gain.is_null()) gain = found["gain"];
      check_same_gain(gain, found["gain"]);
      if (form == "descriptor") continue;  // some of its poles are infinite
      check_poles(ExportJson::parse(content_of(folder / form + ".json"))["modes"], complex_list(found["poles"]));
    }
  }
}

TEST_CASE("export: of a model with many freedoms the file has the lowest poles, and the others are not asserted") {
  const std::string chain =
      case_folder("n_pendulum") + " --set N=600 --input P[1].x --output P[1].x --form second-order";
  const ExportJson plant = exported(chain + " --assert-stable");
  CHECK(plant["StateName"].size() == 600);
  CHECK(plant["modes"]["s"].size() == 40);
  CHECK(plant["notes"] == ExportJson{"poles: only the lowest 40 are listed"});
  check_not_exported(chain + " --assert-min-damping 0.1", 6, "has a damping ratio of 0\n");  // none of them is damped
}

// ---------------------------------------------------------------------------------------------------------------------
// What would mislead

TEST_CASE("export: a singular configuration is refused, unless the user wants it, which the file tells") {
  const std::string singular =
      four_bar + " --set k=0 --set gx=9.81 --set gy=0 --set phi_guess=0 --input phi --output phi";
  const std::string reason =
      "the configuration is singular: the rank of the constraint Jacobian drops at this point only, and motions "
      "branch (2), so that a plant with 2 degrees of freedom describes no motion beyond this point";
  check_not_exported(singular, 1, "not exported: " + reason + "; --singular exports nevertheless");
  CHECK(exported(singular + " --singular")["origin"]["overrides"] == ExportJson{reason});
}

TEST_CASE("export: what is no equilibrium is refused, unless the user wants it, which the file tells") {
  const std::string off = cart_pole + " --at pole.phi=2 --rest check";
  check_not_exported(off, 1, "not an equilibrium: force residual 4.1e-02 > 1.0e-08, largest at 'pole.phi'");
  const ExportJson plant = exported(off + " --off-equilibrium");
  CHECK(contains(plant["origin"]["overrides"][0], "not an equilibrium: force residual 4.1e-02"));
  CHECK(plant["Offsets"]["dx"] == ExportJson::array());  // not zero, and not known
  CHECK(exported(upright)["Offsets"]["dx"] == ExportJson{0.0, 0.0, 0.0, 0.0});
}

TEST_CASE("export: poles whose count is not certified are refused, unless the user wants them") {
  const ScratchFolder folder;
  const std::string masses = "'" + write_softly_held(folder) + "'", soft = masses + " --input q[1] --output q[2]";
  REQUIRE(run("modes --solver dense " + masses).code == 1);
  const std::string reason =
      "the poles are not certified: it is uncertain whether a motion is free or held by a very small stiffness";
  check_not_exported(soft, 1, "not exported: " + reason);
  CHECK(contains(exported(soft + " --uncertified")["origin"]["overrides"][0], reason));
}

TEST_CASE("export: without inputs or outputs there is no plant, and coordinates may stand for them") {
  check_not_exported(four_bar, 2, "'four_bar' has no inputs: name a coordinate on which a force acts, such as --input");
  check_not_exported(four_bar + " --input phi", 2,
                     "'four_bar' has no outputs: name a coordinate whose motion is the output");
  check_not_exported(four_bar + " --input phi --output phii", 2, "did you mean 'phi'?");
}

TEST_CASE("export: the ending is looked at before anything takes time") {
  const ScratchFolder folder;
  check_refused("export nowhere -o '" + folder / "plant.mta'", "plant.mta: ends with '.mta' (did you mean '.mat'?)");
  check_refused("export " + cart_pole, "-o is required");
}

TEST_CASE("export: --assert-stable and --assert-min-damping end with 6, and nothing is written") {
  const std::string damped = four_bar + " --set c=1 --input phi --output phi";
  check_not_exported(upright + " --assert-stable", 6, "--assert-stable: the verdict is 'unstable'");
  exported(damped + " --assert-stable --assert-min-damping 0.01");
  check_not_exported(damped + " --assert-min-damping 0.9", 6, "--assert-min-damping 0.9: the mode with s = ");
  check_not_exported(damped + " --assert-min-damping 2", 2, "--assert-min-damping");
}

TEST_CASE("modes, compare: --assert-min-damping ends with 6 where the least damped mode is below") {
  const ScratchFolder folder;
  // ẍ + 2 ζ ω ẋ + ω² x = 0 with ω = 2: ζ = 0.05 and 0.3
  const std::string matrices = write_two_masses(folder, {"0.2", "1.2"}, {"4", "4"});
  for (const std::string verb : {"modes", "compare"}) {
    const std::string two = verb + " '" + matrices + "'";
    CHECK(run(two + " --assert-min-damping 0.04999").code == 0);
    const Answer answer = run(two + " --assert-min-damping 0.05001");
    CHECK(answer.code == 6);
    CHECK(answer.out != "");
    CHECK(contains(answer.err, "--assert-min-damping 0.05001: the mode with s = -0.1 "));
    CHECK(contains(answer.err, "0.317912 Hz, has a damping ratio of 0.05\n"));
    CHECK(run(verb + " " + cart_pole + " --assert-min-damping 0.01").code == 6);  // the cart is free
    CHECK(run(verb + " " + four_bar + " --assert-min-damping 0").code == 0);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// When writing fails

namespace {

const std::vector<std::string> endings{".mat", ".npz", ".json", ".mo"};

}  // namespace

TEST_CASE("export: a path that cannot be written is told, and an older file stays") {
  const ScratchFolder folder;
  folder.write("file", "");
  for (const std::string& ending : endings) {
    check_refused("export " + upright + quoted(folder / "nowhere/plant" + ending),
                  "plant" + ending + ": cannot be written: No such file or directory");
  }
  check_refused("export " + upright + quoted(folder / "file/plant/"), "cannot be created: Not a directory");
  std::filesystem::create_symlink("/dev/full", folder / "full.mat");
  check_refused("export " + upright + quoted(folder / "full.mat"),
                "full.mat: cannot be written: No space left on device");
}

TEST_CASE("export: a file that grows too large is told, and an older one stays") {
  // Half a kilobyte is all that may be written, as if the disk were full.
  const ScratchFolder folder;
  for (const std::string& ending : endings) {
    const std::string path = folder.write("plant" + ending, "older");
    const Answer answer = shell("trap '' XFSZ; ulimit -f 1; \"$TOOL\" export " + upright + quoted(path));
    CHECK(answer.code == 2);
    CHECK(answer.out == "");
    CHECK(answer.err == "error: " + path + ": cannot be written: File too large\n");
    CHECK(content_of(path) == "older");
  }
  REQUIRE(run("export " + upright + " --form descriptor" + quoted(folder / "plant/")).code == 0);
  const std::string before = content_of(folder / "plant/model.json"), E = content_of(folder / "plant/E.mtx");
  const Answer answer = shell("trap '' XFSZ; ulimit -f 1; \"$TOOL\" export " + upright + quoted(folder / "plant/"));
  CHECK(answer.code == 2);
  CHECK(contains(answer.err, "plant/model.json: cannot be written: File too large"));
  CHECK(content_of(folder / "plant/model.json") == before);
  CHECK(content_of(folder / "plant/E.mtx") == E);
  for (const std::string& file : files_in(folder / ".")) CHECK(!contains(file, ".part"));
  CHECK(shell("trap '' XFSZ; ulimit -f 1; \"$TOOL\" export " + upright + quoted(folder / "new/")).code == 2);
  CHECK(!std::filesystem::exists(folder / "new"));  // nor is an empty folder
}

TEST_CASE("export: on a full disk an older file stays") {
  // A disk of 16 kB, for which one must be root: where that cannot be had, the case before stands for it.
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "disk");
  const std::string disk = folder / "disk";
  const std::string mount = "mount -t tmpfs -o size=16k none '" + disk + "'";
  if (shell("unshare -m sh -c \"" + mount + "\"").code != 0) {
    MESSAGE("no disk can be mounted here, so that none was filled");
    return;
  }
  const Answer answer =
      shell("export TOOL; unshare -m sh -c \"" + mount + " && echo older >'" + disk +
            "/plant.mat' && head -c 9000 /dev/zero >'" + disk + "/filler' && { '$TOOL' export " + upright + " -o '" +
            disk + "/plant.mat'; echo code \\$?; cat '" + disk + "/plant.mat'; ls -A '" + disk + "'; }\"");
  CHECK(answer.err == "error: " + disk + "/plant.mat: cannot be written: No space left on device\n");
  CHECK(answer.out == "code 2\nolder\nfiller\nplant.mat\n");
}

namespace {

struct Interrupted {
  int code = -1;
  std::string err;
  bool was_writing = false;
};

/// Until a pipe has something to read, or ten seconds have passed.
bool has_input(int pipe) {
  pollfd waiting{.fd = pipe, .events = POLLIN, .revents = 0};
  for (int tries = 0; tries < 1000; ++tries) {
    if (poll(&waiting, 1, 10) == 1 && (waiting.revents & POLLIN) != 0) return true;
    if ((waiting.revents & POLLHUP) != 0) usleep(10'000);  // nobody writes yet
  }
  return false;
}

/// Runs `export` and interrupts it while it writes: in place of the unfinished file there is a pipe already, which
/// takes no more than 64 kB as long as nobody reads. `unfinished` tells its path from the number of the process.
Interrupted interrupted_while_writing(const std::vector<std::string>& arguments,
                                      const std::function<std::string(pid_t)>& unfinished, int signal,
                                      bool is_ignored = false) {
  const ScratchFolder scratch;
  const std::string err = scratch / "err";
  int gate[2];
  REQUIRE(pipe(gate) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (is_ignored) std::signal(signal, SIG_IGN);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    std::vector<char*> words;
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    char go = 0;
    if (read(gate[0], &go, 1) == 1) execv(STILLPOINT_TOOL, words.data());
    _exit(127);
  }
  const std::string path = unfinished(child);
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const int pipe = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(write(gate[1], "!", 1) == 1);
  Interrupted result;
  result.was_writing = has_input(pipe);
  kill(child, result.was_writing ? signal : SIGKILL);
  std::array<char, 4096> bytes;
  while (is_ignored && has_input(pipe) && read(pipe, bytes.data(), bytes.size()) > 0) continue;
  int status = 0;
  waitpid(child, &status, 0);
  for (const int file : {gate[0], gate[1], pipe}) close(file);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.err = content_of(err);
  return result;
}

std::vector<std::string> long_export(const std::string& path) {
  // Long names and many of them, so that no pipe takes all; solving takes no time.
  return {"stillpoint", "export",     STILLPOINT_SOURCE_DIR "/cases/four_bar",
          "--set",      "N=500",      "--input",
          "phi",        "--output",   "phi",
          "--form",     "descriptor", "-o",
          path};
}

}  // namespace

TEST_CASE("export: interrupted while it writes it ends with 130, an older file stays and nothing is left beside it") {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    for (const std::string name : {"plant.json", "plant/"}) {
      const ScratchFolder folder;
      const bool is_folder = name.ends_with('/');
      const std::string kept = is_folder ? "plant/model.json" : name;
      folder.write(kept, R"({"schema": "stillpoint.plant/1", "older": true})");
      const auto unfinished = [&](pid_t pid) {
        const std::string part = "." + std::to_string(pid) + ".part";
        return is_folder ? folder / "plant" + part + "/A.mtx" : folder / name + part;
      };
      const Interrupted result = interrupted_while_writing(long_export(folder / name), unfinished, signal);
      REQUIRE(result.was_writing);
      CHECK(result.code == code);
      CHECK(result.err == "interrupted: no file is left half written\n");
      CHECK(contains(content_of(folder / kept), "\"older\": true"));
      CHECK(files_in(folder / ".").size() == (is_folder ? 2 : 1));
    }
  }
}

TEST_CASE("export: a signal that is ignored where it is started, as by nohup, does not interrupt it") {
  const ScratchFolder folder;
  const auto unfinished = [&](pid_t pid) { return folder / "plant.json." + std::to_string(pid) + ".part"; };
  const Interrupted result =
      interrupted_while_writing(long_export(folder / "plant.json"), unfinished, SIGHUP, /*is_ignored=*/true);
  CHECK(result.was_writing);
  CHECK(result.code == 0);
  CHECK(result.err == "");
}

TEST_CASE("export: a reduction that is wrong by more than the response is refused, and a large error is told") {
  const std::string beam = case_folder("flexible_double_pendulum") + " --reduce krylov --order 2 --match 1000";
  check_not_exported(beam, 6, "the reduction changes the frequency response by");
  check_not_exported(beam, 6, "--anyway exports nevertheless");
  const ScratchFolder folder;
  const Answer anyway = run("export " + beam + " --anyway" + quoted(folder / "plant.json"));
  REQUIRE_MESSAGE(anyway.code == 0, anyway.err);
  const auto plant = ExportJson::parse(content_of(folder / "plant.json"));
  CHECK(plant["reduction"]["error"].get<double>() > 1);
  CHECK(contains(plant["origin"]["overrides"][0].get<std::string>(), "the reduction changes the frequency response"));
  CHECK(contains(anyway.err, "warning: the reduction changes the frequency response"));
}

TEST_CASE("export: plants in discrete time are loaded as such, by Octave too") {
  require_octave();
  const ScratchFolder folder;
  const std::string file = folder / "plant.mat";
  const Answer answer =
      run("export " + case_folder("cart_pole") + " --rest nearest --sample-time 0.02 --delay u=0.04 -o '" + file + "'");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  CHECK(contains(answer.out, "  samples     every 0.02 s, by zoh\n"));
  CHECK(contains(answer.out, "u[k-1], u[k-2]"));
  const Answer loaded = shell("octave-cli --norc --path '" STILLPOINT_SOURCE_DIR
                              "/docs' --eval \"pkg load control; "
                              "sys = stillpoint_load ('" +
                              file + "', 'verify'); printf ('%g', get (sys, 'tsam'));\"");
  CHECK_MESSAGE(loaded.code == 0, loaded.err);
  CHECK(loaded.out.ends_with("0.02"));
}

TEST_CASE("export: options of discrete time need a sample time, and a format that has one") {
  const ScratchFolder folder;
  const std::string plant = "export " + case_folder("cart_pole") + " --rest nearest";
  check_refused(plant + " --discretise foh -o '" + folder / "a.npz" + "'", "--discretise belongs to --sample-time");
  check_refused(plant + " --delay u=1 -o '" + folder / "a.npz" + "'", "--delay belongs to --sample-time");
  check_refused(plant + " --sample-time 0.1 -o '" + folder / "a.mo" + "'", "a Modelica model (.mo) is written in");
  check_refused(plant + " --sample-time 0.1 --form descriptor -o '" + folder / "a.npz" + "'",
                "choose --form state-space or --form modal");
}
