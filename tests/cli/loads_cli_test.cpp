// Effective masses, unbalance and random loads from outside.

#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "support/scratch_folder.h"
#include "support/tool.h"

using namespace stillpoint;
using LoadsJson = nlohmann::json;

namespace {

const std::string rotor = case_folder("jeffcott_rotor");
const std::string shaken = case_folder("base_excited");

}  // namespace

TEST_CASE("modes: --effective-masses adds a table, and to JSON the numbers, which add up") {
  const Answer table = run("modes " + case_folder("cantilever") + " --count 6 --effective-masses");
  CHECK(table.code == 0);
  CHECK(contains(table.out, "effective mass, %"));
  CHECK(contains(table.out, "modes not asked for"));
  const LoadsJson json =
      LoadsJson::parse(run("modes " + rotor + " --effective-masses --about 1,2,3 --json --quiet").out);
  CHECK(json["schema"] == "stillpoint.modes/1");
  const LoadsJson& masses = json["effective_masses"];
  CHECK(masses["directions"] == LoadsJson({"x", "y", "z", "rx", "ry", "rz"}));
  CHECK(masses["about"] == LoadsJson({1.0, 2.0, 3.0}));
  CHECK(masses["all_modes"] == true);
  const double inertia[] = {0.1, 0.1, 0.06}, arms[] = {4 + 9, 1 + 9, 1 + 4};
  for (std::size_t d = 0; d < 6; ++d) {
    const double total = d < 3 ? 10 : inertia[d - 3] + 10 * arms[d - 3];
    CHECK(masses["total"][d].get<double>() == doctest::Approx(total).epsilon(1e-12));
    CHECK(masses["sum"][d].get<double>() == doctest::Approx(total).epsilon(1e-9));
    CHECK(masses["modes"].back()["cumulative"][d] == masses["sum"][d]);
  }
}

TEST_CASE("modes: --about takes a point or the centre, and refuses the rest") {
  const LoadsJson centre =
      LoadsJson::parse(run("modes " + shaken + " --effective-masses --about centre --json --quiet").out);
  CHECK(centre["effective_masses"]["about"][1].get<double>() == doctest::Approx(2 * 0.3 / 2.5).epsilon(1e-12));
  check_refused("modes " + shaken + " --effective-masses --about there",
                "must be X,Y or X,Y,Z (m), or the word centre");
  check_refused("modes " + shaken + " --effective-masses --about 1", "must be X,Y or X,Y,Z (m), or the word centre");
  check_refused("modes " + shaken + " --about centre", "--about belongs to --effective-masses");
  const ScratchFolder folder;
  CHECK(run("linearize " + shaken + " -o '" + folder / "matrices" + "'").code == 0);
  check_refused("modes '" + folder / "matrices" + "' --effective-masses", "does not say where its masses are");
  const std::string controlled = "modes " + case_folder("controlled_cart_pole") + " --effective-masses";
  check_refused(controlled, "leave their loops open");
  CHECK(run(controlled + " --open all").code == 0);
  const Answer damped = run("modes " + shaken + " --effective-masses");
  CHECK(contains(damped.err, "damping is left out"));
  CHECK(run("modes " + shaken + " --effective-masses --quiet").err == "");
}

TEST_CASE("response: --unbalance gives the amplitude of the closed form, at an angle, on an orbit, in SVG") {
  const std::string at = " --unit rad --from 100 --to 250 --points 2 --json --unbalance ";
  const LoadsJson json =
      LoadsJson::parse(run("response " + rotor + at + "fx,fy=2e-4:90 --output disc.x --orbit disc.x,disc.y").out);
  CHECK(json["schema"] == "stillpoint.response/1");
  REQUIRE(json["pairs"].size() == 4);  // disc.x, disc.y and the orbit
  CHECK(json["pairs"][0]["input"] == "unbalance");
  CHECK(json["pairs"][2]["output"] == "forward(disc.x,disc.y)");
  const std::complex<double> i(0, 1), expected = i * 2e-4 * 1e4 / (4e5 - 10 * 1e4 + i * 100.0 * 80.0);
  for (const std::size_t pair : {0, 2}) {
    const LoadsJson& value = json["pairs"][pair]["response"][0];
    CHECK(std::abs(std::complex<double>(value[0], value[1]) - expected) < 1e-12 * std::abs(expected));
  }
  const ScratchFolder folder;
  CHECK(run("response " + rotor + " --unbalance fx,fy=2e-4 --output disc.x -o '" + folder / "u.svg" + "'").code == 0);
  CHECK(contains(content_of(folder / "u.svg"), "disc.x by unbalance"));
}

TEST_CASE("response: --speed-parameter linearizes at each speed") {
  const std::string overhung = "response " + rotor + " --set kc=-3e4 --unbalance fx,fy=2e-4 --output disc.x --json ";
  const std::string at = "--unit rad --from 300 --to 400 --points 2 ";
  const LoadsJson each = LoadsJson::parse(run(overhung + at + "--speed-parameter Omega").out);
  const LoadsJson fixed = LoadsJson::parse(run(overhung + at + "--set Omega=300").out);
  CHECK(each["pairs"][0]["response"][0] == fixed["pairs"][0]["response"][0]);
  CHECK(each["pairs"][0]["response"][1] != fixed["pairs"][0]["response"][1]);
  check_refused("response " + rotor + " --unbalance fx,fy=1 --speed-parameter omega", "did you mean 'Omega'");
}

TEST_CASE("response: --psd prints RMS values, and writes densities as CSV, JSON and SVG") {
  const std::string random = "response " + shaken + " --psd \"base''=constant:0.1:1:50\" --output felt.y";
  const Answer table = run(random);
  CHECK(table.code == 0);
  CHECK(contains(table.out, "base_excited: random response to base"));
  CHECK(contains(table.out, "1 to 50 Hz"));
  const LoadsJson json = LoadsJson::parse(run(random + " --json").out);
  CHECK(json["schema"] == "stillpoint.random/1");
  CHECK(json["converged"] == true);
  const double rms = json["outputs"][0]["rms"], fn = 20 / (2 * std::numbers::pi), zeta = 0.05;
  const double miles = std::sqrt(std::numbers::pi * fn * 0.1 * (1 + 4 * zeta * zeta) / (4 * zeta));
  CHECK(rms == doctest::Approx(miles).epsilon(0.03));  // the band begins at a third of the natural frequency
  const ScratchFolder folder;
  folder.write("table.csv", "Hz,(m/s2)2/Hz\n1,0.1\n50,0.1\n");
  const LoadsJson read = LoadsJson::parse(
      run("response " + shaken + " --psd \"base''=" + folder / "table.csv" + "\" --output felt.y --json").out);
  CHECK(read["outputs"][0]["rms"].get<double>() == doctest::Approx(rms).epsilon(1e-14));
  const std::string files = random + " --from 2 --to 4 --points 3 -o '";
  CHECK(run(files + folder / "r.csv" + "'").code == 0);
  const std::string csv = content_of(folder / "r.csv");
  CHECK(csv.starts_with("frequency_hz,\"felt.y psd per Hz\"\n2,"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 4);
  CHECK(run(files + folder / "r.svg" + "'").code == 0);
  CHECK(contains(content_of(folder / "r.svg"), "felt.y: RMS"));
}

TEST_CASE("response: white noise of all frequencies, correlated inputs, and no RMS without damping") {
  const std::string both = "response " + rotor + " --psd fx=constant:1 --psd disc.x=constant:1 --output disc.x --json";
  const LoadsJson apart = LoadsJson::parse(run(both).out);
  const LoadsJson together = LoadsJson::parse(run(both + " --coherence fx,disc.x=1").out);
  CHECK(apart["method"] == "Lyapunov's equation");
  CHECK(apart["band_hz"][1].is_null());
  CHECK(apart["outputs"][0]["variance"].get<double>() == doctest::Approx(2 / (4 * 80 * 4e5)).epsilon(1e-11));
  CHECK(together["outputs"][0]["variance"].get<double>() == doctest::Approx(4 / (4 * 80 * 4e5)).epsilon(1e-11));
  const Answer undamped = run("response " + rotor + " --set c=0 --psd fx=constant:1:1:100 --output disc.x");
  CHECK(undamped.code == 1);
  CHECK(contains(undamped.err, "has no damping"));
}

TEST_CASE("response: loads that cannot be read, or do not fit together, are refused") {
  const std::string response = "response " + rotor + " --output disc.x ";
  check_refused(response + "--unbalance fx=1", "FIRST,SECOND=AMOUNT[:DEGREES]");
  check_refused(response + "--unbalance fx,fy", "FIRST,SECOND=AMOUNT[:DEGREES]");
  check_refused(response + "--unbalance fx,fy=much", "'much' is no number");
  check_refused(response + "--unbalance fx,fy=1:2:3", "FIRST,SECOND=AMOUNT[:DEGREES]");
  check_refused(response + "--unbalance fx,fy=1 --orbit disc.x", "FIRST,SECOND, such as disc.x,disc.y");
  check_refused(response + "--unbalance fx,fy=1 --input fx", "--unbalance names the inputs");
  check_refused(response + "--psd fx=constant:1 --input fx", "--psd names the inputs");
  check_refused(response + "--unbalance fx,fy=1 --psd fx=constant:1", "ask one at a time");
  check_refused(response + "--unbalance fx,fy=1 --step", "ask one at a time");
  check_refused(response + "--orbit disc.x,disc.y", "--orbit belongs to --unbalance");
  check_refused(response + "--speed-parameter Omega", "--speed-parameter belongs to --unbalance");
  check_refused(response + "--coherence fx,fy=1", "--coherence belongs to --psd");
  check_refused(response + "--psd fx", "INPUT=FILE or INPUT=constant:VALUE[:FROM:TO]");
  check_refused(response + "--psd fx=constant:1:2", "INPUT=FILE or INPUT=constant:VALUE[:FROM:TO]");
  check_refused(response + "--psd fx=missing.csv", "missing.csv");
  check_refused(response + "--psd fx=constant:-1", "not negative");
  check_refused(response + "--psd fx=constant:1 --coherence fx,fz=1",
                "--coherence: no spectral density is given for 'fz'");
  check_refused(response + "--psd fx=constant:1 --coherence fx,fx=1", "two inputs are meant, not 'fx' twice");
  check_refused(response + "--psd fx=constant:1 --psd fy=constant:1 --coherence fx,fy=2", "must be Hermitian");
}
