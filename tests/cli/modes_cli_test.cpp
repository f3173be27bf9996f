// The verbs `modes` and `compare` from outside.

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "support/matrix_folders.h"
#include "support/tool.h"

using namespace stillpoint;
using TestJson = nlohmann::json;
using Complex = std::complex<double>;

namespace {

const std::string four_bar = case_folder("four_bar");
const std::string singular = four_bar + " --set k=0 --set gx=9.81 --set gy=0 --set phi_guess=0";

TestJson json_of(const std::string& arguments) {
  const Answer answer = run(arguments + " --json");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  return TestJson::parse(answer.out);
}

Complex eigenvalue(const TestJson& mode) { return {mode["s"][0].get<double>(), mode["s"][1].get<double>()}; }

/// Those of class "true", in their order.
std::vector<Complex> true_ones(const TestJson& modes) {
  std::vector<Complex> values;
  for (const TestJson& mode : modes) {
    if (mode["class"] == "true") values.push_back(eigenvalue(mode));
  }
  return values;
}

/// How far the nearest one is.
double distance_to(Complex s, const std::vector<Complex>& values) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Complex value : values) nearest = std::min(nearest, std::abs(value - s));
  return nearest;
}

const double sqrt_6g_5 = std::sqrt(6 * 9.81 / 5), sqrt_2g = std::sqrt(2 * 9.81), sqrt_3g_2 = std::sqrt(3 * 9.81 / 2);

}  // namespace

TEST_CASE("modes: of a large system the lowest come from the sparse solver, counted, and the same as all") {
  const std::string chain = case_folder("n_pendulum") + " --set N=600";
  const TestJson some = json_of("modes " + chain + " --count 5"), all = json_of("modes " + chain + " --all");
  CHECK(some["solver"] == "sparse Lanczos, counted");
  CHECK(some["count"]["certified"] == true);
  CHECK(some["count"]["expected"] == some["count"]["found"]);
  CHECK(some["count"]["scope"].get<std::string>().find("with |s| < ") == 0);
  CHECK(some["verdict"] == all["verdict"]);
  CHECK(some["verdict_basis"] == "energy");
  CHECK(all["solver"] == "dense generalized symmetric");
  REQUIRE(some["modes"].size() == 10);
  for (std::size_t k = 0; k < 10; ++k) {
    const TestJson &a = some["modes"][k], &b = all["modes"][k];
    CHECK(std::abs(eigenvalue(a) - eigenvalue(b)) <= a["error"].get<double>() + b["error"].get<double>());
  }
}

TEST_CASE("modes: a band of frequencies holds what lies in it, and what cannot be asked for is refused") {
  const std::string chain = case_folder("n_pendulum") + " --set N=40";
  const TestJson band = json_of("modes " + chain + " --band 0.5,1 --engine sparse"), all = json_of("modes " + chain);
  std::size_t inside = 0;
  for (const TestJson& mode : all["modes"]) {
    const double hertz = mode["frequency_hz"].get<double>();
    inside += hertz > 0.5 && hertz < 1;
  }
  CHECK(inside > 4);
  CHECK(band["modes"].size() == inside);
  CHECK(band["count"]["scope"] == "from 0.5 to 1 Hz");
  const auto refusal = [](const std::string& arguments) {
    const Answer answer = run("modes " + arguments);
    CHECK(answer.code == 2);
    return answer.err;
  };
  CHECK(refusal(chain + " --band 2,1").find("the first frequency must be below the second") != std::string::npos);
  CHECK(refusal(chain + " --band 1,2 --near 0,1").find("excludes") != std::string::npos);
  CHECK(refusal(chain + " --count 0").find("not in range 1 to 1000000") != std::string::npos);
  CHECK(refusal(chain + " --near nan,0").find("--near: nan is not a number") != std::string::npos);
  CHECK(refusal(chain + " --band 0,1e154").find("--band: 1e+154 is not a number of at most") != std::string::npos);
  CHECK(refusal(chain + " --unstable --count 3").find("excludes") != std::string::npos);
  CHECK(refusal(singular + " --engine sparse").find("do not know singular") != std::string::npos);
}

TEST_CASE("modes: a penalty that changes eigenvalues by much says so") {
  const std::string bar = "modes " + case_folder("four_bar") + " --set N=2 --method ucs";
  const std::string much = "the penalty changes eigenvalues by up to";
  CHECK(run(bar + " --alpha 10").out.find(much) != std::string::npos);
  CHECK(run(bar).out.find(much) == std::string::npos);
}

TEST_CASE("modes: where all eigenvalues at once are not certain, the sparse solver is asked for the lowest") {
  const ScratchFolder folder;
  const std::string soft = "modes '" + write_softly_held(folder) + "'";
  CHECK(run(soft + " --all --json").code == 1);
  const TestJson some = json_of(soft);
  CHECK(some["solver"] == "sparse Lanczos, counted");
  CHECK(some["warnings"][0].get<std::string>().starts_with("found by the sparse solver"));
  CHECK(std::abs(eigenvalue(some["modes"][0]) - std::complex<double>(0, 5e-6)) <=
        some["modes"][0]["error"].get<double>() + 1e-15);
}

TEST_CASE(
    "modes: a band, the nearest, the unstable and the least damped are the same by all solvers, with the verdict") {
  const std::string ring = "modes " + case_folder("mass_ring") + " --set N=40 --set c=0.5 --set k0=1 --solver ";
  for (const std::string request : {"--band 0.2,0.6", "--near -0.1,1.4 --count 4", "--near 0.5,-2 --count 3",
                                    "--unstable", "--band 0.1,1 --least-damped 2", "--count 9 --least-damped 2"}) {
    CAPTURE(request);
    const TestJson sparse = json_of(ring + "sparse " + request), dense = json_of(ring + "dense " + request);
    CHECK(sparse["count"]["certified"] == true);
    CHECK(sparse["verdict"] == dense["verdict"]);
    REQUIRE(sparse["modes"].size() == dense["modes"].size());
    for (std::size_t k = 0; k < sparse["modes"].size(); ++k) {
      const TestJson &a = sparse["modes"][k], &b = dense["modes"][k];
      CHECK(std::abs(eigenvalue(a) - eigenvalue(b)) <= a["error"].get<double>() + b["error"].get<double>());
    }
  }
}

// C has the signs + and −, of no more than rounding of K: does one of both motions grow?
TEST_CASE("modes: that none grows is not certified where rounding hides it") {
  const ScratchFolder folder;
  const std::string two = write_two_masses(folder, {"1e-17", "-1e-17"}, {"1", "2"});
  const Answer hidden = run("modes '" + two + "' --unstable");
  CHECK(hidden.code == 1);
  CHECK(hidden.out.find("whether all unstable eigenvalues are listed cannot be told") != std::string::npos);
  const Answer clear = run("modes '" + write_two_masses(folder, {"1e-3", "-1e-3"}, {"1", "2"}) + "' --unstable");
  CHECK(clear.code == 0);
  CHECK(clear.out.find("1.414") != std::string::npos);
}

TEST_CASE(
    "modes: damped ones of a large system come from the sparse solver, and a count that nobody wants is left out") {
  const std::string ring = "modes " + case_folder("mass_ring") + " --set N=520 --set c=0.5 --set k0=1 --count 3";
  const TestJson counted = json_of(ring), dense = json_of(ring + " --solver dense");
  CHECK(counted["solver"] == "sparse Lanczos and Galerkin, counted");
  CHECK(counted["count"]["certified"] == true);
  CHECK(counted["verdict"] == dense["verdict"]);
  CHECK(counted["timing"]["certificate"].is_number());
  REQUIRE(counted["modes"].size() == dense["modes"].size());
  for (std::size_t k = 0; k < counted["modes"].size(); ++k) {
    const TestJson &a = counted["modes"][k], &b = dense["modes"][k];
    CHECK(std::abs(eigenvalue(a) - eigenvalue(b)) <= a["error"].get<double>() + b["error"].get<double>());
  }
  const TestJson uncounted = json_of(ring + " --uncounted");  // and the exit code is 0
  CHECK(uncounted["count"]["certified"] == false);
  CHECK(uncounted["verdict"] == "undecided");
  CHECK(uncounted["modes"].size() == counted["modes"].size());
}

TEST_CASE("modes: a time limit ends a search with what is known, exit code 1, and the reason") {
  const std::string ring = "modes " + case_folder("mass_ring") + " --set N=520 --set c=0.5 --set k0=1 --count 3";
  const Answer limited = run(ring + " --time-limit 1e-6");
  CHECK(limited.code == 1);
  CHECK(limited.err.find("time limit") != std::string::npos);
  CHECK(run(ring + " --time-limit 0").code == 2);
  CHECK(json_of(ring + " --time-limit 1e5")["modes"] == json_of(ring)["modes"]);
}

TEST_CASE("modes: what some of them leave open all of them tell") {
  const std::string ring = "modes " + case_folder("mass_ring") + " --set N=510 --set c=3 --set k0=1 --band 0.2,0.25";
  const TestJson known = json_of(ring);
  CHECK(known["solver"] == "dense QZ");
  CHECK(known["count"]["certified"] == true);
  CHECK(known["count"]["found"] == 1020);
  CHECK(known["verdict"] == "stable (conservative)");
  REQUIRE(!known["modes"].empty());
  for (const TestJson& mode : known["modes"]) {
    const double hertz = std::abs(eigenvalue(mode)) / (2 * std::numbers::pi);
    CHECK(hertz >= 0.2);
    CHECK(hertz <= 0.25);
  }
}

TEST_CASE("modes: what is asserted of some modes of a large system does not ask for all") {
  const std::string ring = "modes " + case_folder("mass_ring") + " --set N=520 --set c=0.5 --set k0=1";
  for (const std::string request : {"--count 3", "--near 0,1 --count 3", "--band 0.1,0.2"}) {
    CAPTURE(request);
    const std::string solver = json_of(ring + " " + request + " --assert-min-damping -1")["solver"];
    CHECK(solver.starts_with("sparse"));
  }
}

TEST_CASE("modes: the penalty system of a large model is solved beside the modes of the mechanism") {
  const std::string chain = "modes " + case_folder("n_pendulum") + " --set N=400 --count 3";
  const TestJson penalty = json_of(chain + " --method ucs"), exact = json_of(chain);
  CHECK(penalty["solver"] == "sparse, followed from sparse Lanczos, counted");
  CHECK(penalty["count"]["certified"] == true);
  CHECK(penalty["verdict"] == exact["verdict"]);
  CHECK(penalty["penalty"]["own_equilibrium"] == true);
  REQUIRE(penalty["modes"].size() == exact["modes"].size());
  for (std::size_t k = 0; k < penalty["modes"].size(); ++k) {
    const TestJson &a = penalty["modes"][k], &b = exact["modes"][k];
    const Complex corrected{a["corrected"][0].get<double>(), a["corrected"][1].get<double>()};
    CHECK(std::abs(corrected - eigenvalue(b)) <= a["corrected_error"].get<double>() + b["error"].get<double>());
    CHECK(std::abs(eigenvalue(a) - eigenvalue(b)) <= a["error"].get<double>() + b["error"].get<double>());
  }
}

TEST_CASE("modes: whatever is asked for is followed into the penalty system") {
  const std::string ring = "modes " + case_folder("mass_ring") + " --set N=40 --set c=0.5 --set k0=1 --solver sparse ";
  for (const std::string request : {"--band 0.2,0.6", "--near -0.1,1.4 --count 4", "--count 9 --least-damped 2"}) {
    CAPTURE(request);
    const TestJson penalty = json_of(ring + request + " --method ucs"), exact = json_of(ring + request);
    CHECK(penalty["count"]["certified"] == true);
    CHECK(!exact["modes"].empty());
    REQUIRE(penalty["modes"].size() == exact["modes"].size());
    for (std::size_t k = 0; k < penalty["modes"].size(); ++k) {
      const TestJson &a = penalty["modes"][k], &b = exact["modes"][k];
      CHECK(std::abs(eigenvalue(a) - eigenvalue(b)) <= a["error"].get<double>() + b["error"].get<double>());
    }
  }
}

TEST_CASE("compare: of a large system all methods share one search, and say so") {
  const std::string arguments = "compare " + case_folder("n_pendulum") + " --set N=600 --count 3";
  const TestJson all = json_of(arguments);
  CHECK(all["methods"]["mcs"]["shares_computation_with"].is_null());
  CHECK(all["methods"]["rcs"]["shares_computation_with"] == "mcs");
  CHECK(all["methods"]["ucs"]["shares_computation_with"] == "rcs");
  CHECK(all["methods"]["ucs"]["computed"] == true);
  CHECK(all["methods"]["ucs"]["modes"].size() == all["methods"]["mcs"]["modes"].size());
  CHECK(all["difference_details"]["ucs"]["within_error_bars"] == true);
  CHECK(all["differences"]["rcs"] == 0);
  const std::string text = run(arguments).out;
  CHECK(text.find("RCS           the same computation as MCS, so no independent evidence") != std::string::npos);
  CHECK(text.find("  difference from MCS                             shared") != std::string::npos);
  CHECK(text.find("continued from the modes of RCS: its own values, but no") != std::string::npos);
}

TEST_CASE("modes: what the equilibrium warns of is told with its modes") {
  const Answer answer = run("modes " + case_folder("flexible_double_pendulum"));
  CHECK(answer.code == 0);
  CHECK(answer.out.find("is included in beam") != std::string::npos);
}

TEST_CASE("modes: Tables 1 and 2 of González 2017, to every printed digit, by each of the three methods") {
  struct Row {
    int N;
    Complex undamped, damped;
  };
  const Row rows[] = {{1, {0, 2.1477}, {-0.2424, 2.1340}},
                      {5, {0, 1.5455}, {-0.2350, 1.5276}},
                      {10, {0, 1.4352}, {-0.2325, 1.4162}},
                      {15, {0, 1.3955}, {-0.2316, 1.3761}},
                      {20, {0, 1.3750}, {-0.2312, 1.3554}}};
  constexpr double half_a_digit = 5e-5;
  for (const Row& row : rows) {
    for (const std::string method : {"mcs", "rcs", "ucs --alpha 1e6"}) {
      for (const int c : {0, 1}) {
        CAPTURE(row.N);
        CAPTURE(method);
        const std::string which = " --set N=" + std::to_string(row.N) + " --set c=" + std::to_string(c);
        const std::vector<Complex> found =
            true_ones(json_of("modes " + four_bar + which + " --method " + method)["modes"]);
        REQUIRE(found.size() == 2);
        const Complex printed = c == 0 ? row.undamped : row.damped;
        CHECK(std::abs(found[0].real() - printed.real()) <= half_a_digit);
        CHECK(std::abs(found[0].imag() - printed.imag()) <= half_a_digit);
        CHECK(std::abs(found[1] - std::conj(found[0])) < 1e-12);  // each is refined on its own
      }
    }
  }
}

TEST_CASE("modes: the penalty method with the factors of González 2017 stays within 3e-6 rad/s") {
  const TestJson json = json_of("compare " + four_bar + " --set N=20 --alpha 1e6 --xi 1 --omega 10");
  CHECK(json["differences"]["ucs"].get<double>() < 3e-6);
  CHECK(json["differences"]["rcs"].get<double>() < 1e-10);
  CHECK(json["difference_details"]["rcs"]["within_error_bars"] == true);
}

TEST_CASE("modes: the singular four-bar, by each method as González 2017 prints it, and what its branches say") {
  for (const std::string method : {"mcs", "rcs", "ucs"}) {
    CAPTURE(method);
    const TestJson json = json_of("modes " + singular + " --method " + method);
    const std::vector<Complex> found = true_ones(json["modes"]);
    REQUIRE(found.size() == 4);
    const double tolerance = method == "ucs" ? 5e-5 : 1e-9;
    CHECK(distance_to({0, sqrt_6g_5}, found) < tolerance);
    CHECK(distance_to({0, sqrt_2g}, found) < tolerance);
    REQUIRE(json["branches"].size() == 2);
    std::vector<Complex> of_branches;
    for (const TestJson& branch : json["branches"]) {
      for (const Complex s : true_ones(branch["modes"])) of_branches.push_back(s);
    }
    CHECK(of_branches.size() == 4);
    CHECK(distance_to({0, sqrt_6g_5}, of_branches) < 1e-9);
    CHECK(distance_to({0, sqrt_3g_2}, of_branches) < 1e-9);
    CHECK(json["model"]["singular"] == true);
    CHECK(json["verdict"] == "stable (conservative)");
    for (const TestJson& mode : json["modes"]) {
      if (mode["class"] != "true") continue;
      const bool is_second = std::abs(std::abs(eigenvalue(mode)) - sqrt_2g) < 1e-3;
      if (is_second) CHECK(mode["depends_on_constraint_scaling"] == true);
    }
  }
}

TEST_CASE("modes: where nothing can move although a first look says otherwise, that is stable") {
  const ScratchFolder folder;
  const std::string file = folder.write("line.yaml",
                                        "stillpoint: 1\nname: m\nmechanism:\n"
                                        "  - point: P\n    at: 0, 0\n    mass: 1\n"
                                        "  - distance: left\n    between: ground(-1, 0), P\n    length: 1\n"
                                        "  - distance: right\n    between: ground(1, 0), P\n    length: 1\n");
  const TestJson rest = json_of("equilibrium " + file);
  for (const std::string verb : {"modes ", "compare "}) {
    const TestJson found = json_of(verb + file);
    CHECK(found["verdict"] == rest["equilibrium"]["verdict"]);
    CHECK(found["branches"].empty());
  }
  CHECK(run("modes " + file + " --assert-stable").code == 0);
}

TEST_CASE("modes: what a person reads starts with the verdict and fits a terminal") {
  const Answer answer = run("modes " + four_bar + " --set N=20 --set c=1");
  CHECK(answer.code == 0);
  CHECK(answer.err == "");
  CHECK(answer.out.starts_with("four_bar: asymptotically stable\n"));
  CHECK(contains(answer.out, "-0.231157742"));
  CHECK(contains(answer.out, "± 1.355416750"));
  CHECK(contains(answer.out, "B[0..20] move along x; stiffness from diagonal[1..20]"));
}

TEST_CASE("modes: --json has the equilibrium that it is about, as the verb equilibrium prints it") {
  const TestJson modes = json_of("modes " + four_bar + " --set N=5");
  const TestJson rest = json_of("equilibrium " + four_bar + " --set N=5");
  CHECK(modes["equilibrium"]["coordinates"] == rest["equilibrium"]["coordinates"]);
  CHECK(modes["model"] == rest["model"]);
  CHECK(modes["method"] == "mcs");
  CHECK(modes["count"] == json_of("modes " + four_bar + " --set N=5")["count"]);
  for (const char* const stage : {"read", "equilibrium", "linearize", "modes"}) {
    CHECK(modes["timing"][stage].is_number());
  }
}

TEST_CASE("modes: --shapes gives shapes by coordinate and energies by element") {
  const TestJson mode = json_of("modes " + four_bar + " --shapes")["modes"][0];
  CHECK(mode["shape"].size() == 5);
  CHECK(mode["shape"]["phi"].size() == 2);
  CHECK(mode["energy"].contains("diagonal[1]"));
  CHECK(mode["kinetic_energy"].contains("B[1]"));
  double whole = 0;
  for (const auto& [name, share] : mode["energy"].items()) whole += std::abs(share.get<double>());
  CHECK(whole == doctest::Approx(1));  // all but what is below a millionth
}

TEST_CASE("modes: --spurious lists what belongs to the method") {
  const auto classes = [](const std::string& arguments) {
    const TestJson json = json_of("modes " + four_bar + " --method rcs" + arguments);
    std::vector<std::string> words;
    for (const TestJson& mode : json["modes"]) words.push_back(mode["class"]);
    return words;
  };
  CHECK(classes("") == std::vector<std::string>{"true", "true"});
  const std::vector<std::string> all = classes(" --spurious");
  CHECK(all.size() == 14);  // 2n + m
  CHECK(std::count(all.begin(), all.end(), "spurious") == 12);
}

TEST_CASE("modes: every choice of basis gives the same spectrum, by its new name and by its old one") {
  const std::string pendulum = case_folder("n_pendulum");
  const std::vector<Complex> reference = true_ones(json_of("modes " + pendulum)["modes"]);
  REQUIRE(!reference.empty());
  for (const std::string basis :
       {"partition", "projective", "lu", "svd", "qr", "gram_schmidt", "zero_eigenvalue", "topological"}) {
    CAPTURE(basis);
    const std::vector<Complex> found =
        true_ones(json_of("modes " + pendulum + (basis == "svd" ? " --tangent " : " --basis ") + basis)["modes"]);
    REQUIRE(found.size() == reference.size());
    for (const Complex s : reference) CHECK(distance_to(s, found) < 1e-9 * std::abs(s));
  }
}

TEST_CASE("modes: --independent takes coordinates by name, and refuses what is none") {
  const TestJson phi = json_of("modes " + four_bar + " --independent B[1].x");
  CHECK(distance_to(true_ones(phi["modes"])[0], true_ones(json_of("modes " + four_bar)["modes"])) < 1e-12);
  check_refused("modes " + four_bar + " --independent phu",
                "--independent: there is no coordinate 'phu' (did you mean 'phi'?)");
  check_refused("modes " + four_bar + " --independent phi,phi", "--independent: 'phi' is there twice");
  check_refused("modes " + four_bar + " --independent phi --basis svd",
                "--independent names the coordinates of a partition; --basis svd finds its own");
  check_refused("modes " + four_bar + " --independent phi --method rcs",
                "--basis and --independent belong to --method mcs");
  check_refused("modes " + four_bar + " --basis svd --engine sparse",
                "--basis and --independent choose a basis for the dense engines; --engine sparse needs none");
  check_refused("modes " + four_bar + " --method rcs --xi 0.5", "--alpha, --xi and --omega belong to --method ucs");
}

TEST_CASE("modes: --count lists the lowest, and --all all") {
  const std::string pendulum = case_folder("n_pendulum");
  const std::vector<Complex> all = true_ones(json_of("modes " + pendulum + " --all")["modes"]);
  const TestJson two = json_of("modes " + pendulum + " --count 2");
  const std::vector<Complex> lowest = true_ones(two["modes"]);
  REQUIRE(all.size() > 4);
  REQUIRE(lowest.size() == 4);  // pairs count once
  for (std::size_t k = 0; k < lowest.size(); ++k) CHECK(std::abs(lowest[k] - all[k]) < 1e-9);
  CHECK(two["count"]["scope"] == "the lowest");
  check_refused("modes " + pendulum + " --count 0", "--count");
  check_refused("modes " + pendulum + " --count 2 --all", "--all");
}

TEST_CASE("modes: a folder of matrices is as good as the model it is from") {
  const ScratchFolder folder;
  const std::string path = "'" + folder / "matrices" + "'";
  REQUIRE(run("linearize " + four_bar + " --set N=3 --set c=1 -o " + path).code == 0);
  for (const std::string method : {"mcs", "rcs", "ucs"}) {
    CAPTURE(method);
    const TestJson of_matrices = json_of("modes " + path + " --method " + method);
    const std::vector<Complex> found = true_ones(of_matrices["modes"]);
    const std::vector<Complex> of_model = true_ones(json_of("modes " + four_bar + " --set N=3 --set c=1")["modes"]);
    REQUIRE(found.size() == of_model.size());
    CHECK(distance_to(of_model[0], found) < 1e-5);
    CHECK(of_matrices["equilibrium"] == nullptr);
    CHECK(of_matrices["model"]["dof"] == 1);
  }
  CHECK(json_of("compare " + path)["methods"].size() == 3);
  check_refused("modes " + path + " --set N=2", "there is no model");
}

TEST_CASE("modes: --assert-stable passes what is stable, and ends with 6 otherwise") {
  CHECK(run("modes " + four_bar + " --assert-stable").code == 0);
  const std::string up = "modes " + four_bar + " --set N=3 --set phi_guess=1.5 --rest nearest";
  const Answer unstable = run(up + " --assert-stable");
  CHECK(unstable.code == 6);
  CHECK(unstable.out.starts_with("four_bar: unstable\n"));
  CHECK(contains(unstable.err, "--assert-stable: the verdict is 'unstable'"));
  CHECK(run(up).code == 0);
}

TEST_CASE("modes: without an equilibrium there are no modes, and the exit code is 1") {
  const ScratchFolder folder;
  const std::string path = folder.write("m.yaml",
                                        "stillpoint: 1\ngravity: 0, -9.81\nmechanism:\n"
                                        "  - {point: P, at: [0, 0], mass: 1}\n");
  for (const std::string verb : {"modes", "compare"}) {
    const Answer answer = run(verb + " '" + path + "' --json");
    CHECK(answer.code == 1);
    CHECK(answer.out == "");
    CHECK(!answer.err.empty());
  }
}

TEST_CASE("modes: wrong words are told in one line") {
  check_refused("modes " + four_bar + " --method msc", "--method: msc not in");
  check_refused("modes " + four_bar + " --basis cholesky", "--basis: cholesky not in");
  check_refused("modes " + four_bar + " --method ucs --alpha -1", "alpha");
  check_refused("modes " + four_bar + " --methd ucs", "did you mean '--method'");
  check_refused("compare nowhere", "nowhere: no such file or folder");
}

TEST_CASE("modes: every --help starts with examples") {
  for (const std::string verb : {"modes", "compare"}) {
    const Answer answer = run(verb + " --help");
    CHECK(answer.code == 0);
    CHECK(answer.out.starts_with("Examples:\n  stillpoint " + verb));
  }
  const std::string help = run("--help").out;
  CHECK(contains(
      help, "\n  modes           Natural frequencies, damping ratios, participation in each mode, and stability.\n"));
  CHECK(contains(help, "\n  compare         The spectra of three methods side by side.\n"));
}

TEST_CASE("compare: three methods side by side, with every number that it claims") {
  const Answer answer = run("compare " + four_bar + " --set N=20");
  CHECK(answer.code == 0);
  CHECK(answer.out.starts_with("four_bar: stable (conservative)\n"));
  for (const char* const line : {"order", "true eigenvalues", "spurious", "difference from MCS", "time: modes",
                                 "mass matrix", "factored at a shift", "advice"}) {
    CHECK_MESSAGE(contains(answer.out, "\n  " + std::string(line)), line);
  }
  const TestJson methods = json_of("compare " + four_bar + " --set N=20")["methods"];
  CHECK(methods["mcs"]["spurious"] == 0);
  CHECK(methods["rcs"]["spurious"] == 126);  // 3 r
  CHECK(methods["ucs"]["spurious"] == 84);   // 2 r
  for (const char* const method : {"mcs", "rcs", "ucs"}) {
    CHECK(methods[method]["count"]["found"] == 2);
    CHECK(methods[method]["count"]["certified"] == true);
    CHECK(methods[method]["fill"]["mass"]["nnz"].is_number());
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Holding a configuration

TEST_CASE("modes: --trim and --preload hold the drawn configuration in every verb") {
  const ScratchFolder folder;
  const std::string model = folder.write("lamp/model.yaml",
                                         "stillpoint: 1\nname: lamp\ngravity: 0, -9.81\nmechanism:\n"
                                         "  - body: arm\n    at: 0, 0\n    angle: 0.2\n    mass: 3\n    centre: 1, 0\n"
                                         "  - revolute: hinge\n    between: ground, arm\n"
                                         "  - fixed: A\n    at: 0, 1.5\n"
                                         "  - spring: s\n    between: A, arm(2, 0)\n    stiffness: 400\n"
                                         "    free_length: 0.7\n"
                                         "  - input: motor\n"
                                         "  - torque: drive\n    on: arm\n    magnitude: 1\n    input: motor\n");
  const std::string lamp = "'" + model + "'";
  const auto trimmed = TestJson::parse(run("modes " + lamp + " --json --trim motor").out);
  CHECK(trimmed["equilibrium"]["coordinates"]["arm.phi"].get<double>() == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(trimmed["equilibrium"]["trim"]["motor"].get<double>() ==
        trimmed["equilibrium"]["inputs"]["motor"].get<double>());
  CHECK(trimmed["equilibrium"]["trim"]["motor"].get<double>() != 0);
  const auto preloaded = TestJson::parse(run("modes " + lamp + " --preload s --json").out);
  CHECK(preloaded["equilibrium"]["coordinates"]["arm.phi"].get<double>() == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(preloaded["equilibrium"]["preload"]["s.free_length"].get<double>() > 0.7);
  CHECK(contains(run("modes " + lamp + " --preload s").out, "  preload       s.free_length = "));
  for (const std::string verb : {"equilibrium", "linearize", "compare", "sparsity", "response", "export"}) {
    CAPTURE(verb);
    const std::string channels = verb == "response" || verb == "export" ? " --output arm.phi" : "";
    const std::string to = verb == "linearize" ? " -o '" + folder / "out/" + "'"
                           : verb == "export"  ? " -o '" + folder / "p.json" + "'"
                                               : "";
    CHECK(run(verb + " " + lamp + channels + to + " --preload s").code == 0);
    CHECK(run(verb + " " + lamp + channels + to + " --trim motor").code == 0);
  }
  check_refused("modes " + lamp + " --preload s --trim motor", "--trim and preload both hold the guess");
  check_refused("modes " + lamp + " --preload t", "there is no spring 't'");
}

TEST_CASE("equilibrium: a continuum of equilibria is one line, and --each lists its points") {
  const std::string frame = "equilibrium " + case_folder("scissor_frame") + " --equilibria";
  const Answer brief = run(frame), each = run(frame + " --each");
  CHECK(contains(brief.out, "a family: "));
  CHECK(std::count(brief.out.begin(), brief.out.end(), '\n') < 150);
  CHECK(std::count(each.out.begin(), each.out.end(), '\n') > 1000);
  const auto json = TestJson::parse(run(frame + " --json").out);
  CHECK(json["equilibria"].back()["family"].get<int>() >= 1);
  CHECK(!json["equilibria"][0].contains("family"));
}
