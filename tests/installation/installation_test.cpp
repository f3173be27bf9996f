// What `stillpoint doctor` finds and what it concludes. The conclusions are drawn from made-up installations, each with
// one thing wrong.

#include "installation/installation.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <Eigen/Core>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/whole_program.h"
#include "support/error_texts.h"

using namespace stillpoint;
using Json = nlohmann::json;

namespace {

/// One in which nothing is to be said.
Installation healthy() {
  Installation found;
  found.version = "0.1.0";
  found.compiler = "GCC 12.2.0";
  found.system = "Debian GNU/Linux 12 (bookworm)";
  found.processor = "A processor";
  found.memory = 16e9;
  found.processors = found.threads = 2;
  found.has_avx2 = true;
  found.blas = {"/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3",
                "/usr/lib/x86_64-linux-gnu/openblas-pthread/liblapack.so.3", "0.3.21", "Haswell", true};
  found.libraries = {{"BLAS", "OpenBLAS 0.3.21", "/usr/lib/libblas.so.3", "products"}};
  found.optional = {{"CHOLMOD", "", "", "Cholesky factors", false}};
  found.python_version = "0.1.0";
  return found;
}

void check_advice(const Installation& found, const std::string& sentence) {
  const Diagnosis diagnosis = diagnose(found);
  CHECK(diagnosis.problems.empty());
  REQUIRE(diagnosis.advice.size() == 1);
  CHECK_MESSAGE(contains(diagnosis.advice[0], sentence), diagnosis.advice[0]);
  CHECK(contains(to_text(found), "\nadvice: " + diagnosis.advice[0] + "\n"));
}

void check_problem(const Installation& found, const std::string& sentence) {
  const Diagnosis diagnosis = diagnose(found);
  REQUIRE(diagnosis.problems.size() == 1);
  CHECK_MESSAGE(contains(diagnosis.problems[0], sentence), diagnosis.problems[0]);
  CHECK(contains(to_text(found), "stillpoint 0.1.0: 1 problem: results are not to be trusted\n"));
  CHECK(Json::parse(to_json(found))["problems"][0] == diagnosis.problems[0]);
}

}  // namespace

TEST_CASE("doctor: nothing is said about an installation in which all is well") {
  const Diagnosis diagnosis = diagnose(healthy());
  CHECK(diagnosis.problems.empty());
  CHECK(diagnosis.advice.empty());
  const std::string text = to_text(healthy());
  CHECK(text.starts_with("stillpoint 0.1.0: the known answers are reproduced\n"));
  CHECK(!contains(text, "advice"));
  CHECK(contains(text, "\n  CHOLMOD        none     Cholesky factors\n"));
}

TEST_CASE("doctor: each thing that is missing or slow is told with what to do") {
  Installation found = healthy();
  found.blas = {"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", "/usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3",
                "", "", true};
  check_advice(found, "the reference implementation (/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0)");
  found = healthy();
  found.blas.lapack_file = "/usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3.11.0";
  check_advice(found, "but the LAPACK is the reference implementation");
  found = healthy();
  found.blas.has_threads = false;
  check_advice(found, "which has no locks");
  found = healthy();
  found.blas.kernels = "Prescott";
  check_advice(found, "OPENBLAS_CORETYPE=Haswell");
  found.has_avx2 = false;  // a processor of 2004
  CHECK(diagnose(found).advice.empty());
  found = healthy();
  found.threads = 1;
  check_advice(found, "STILLPOINT_THREADS allows 1 of 2 processors");
  found = healthy();
  found.is_utf8 = false;
  check_advice(found, "LC_ALL=C.UTF-8");
  found = healthy();
  found.python_version = "0.0.9";
  check_advice(found, "python3 imports stillpoint 0.0.9, and this program is 0.1.0");
  found.python_version = "";  // it is optional
  CHECK(diagnose(found).advice.empty());
}

TEST_CASE("doctor: a library that computes something wrong is a problem") {
  Installation found = healthy();
  found.check.product = 1e-16;  // the product is exact: no rounding is allowed
  check_problem(found, "the BLAS (/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3)");
  found = healthy();
  found.check.eigenvalues = 1e-8;
  check_problem(found, "an eigenvalue of a chain of masses differs from its known answer by 1.0e-08");
  found.check.eigenvalues = 1e-14;  // rounding
  CHECK(diagnose(found).problems.empty());
  found = healthy();
  found.check.pendulum = std::numeric_limits<double>::infinity();
  check_problem(found, "the frequency of a pendulum");
}

TEST_CASE("doctor: what runs here is found, with versions and files, and computes the known answers") {
  set_up_whole_program();
  const Installation found = inspect_installation();
  CHECK(diagnose(found).problems.empty());
  CHECK(found.check.product == 0);
  CHECK(found.check.pendulum < 1e-14);
  CHECK(found.processors >= 1);
  CHECK(found.memory > 1e8);
  const auto part = [](const std::vector<SoftwarePart>& parts, const std::string& name) {
    for (const SoftwarePart& candidate : parts) {
      if (candidate.name == name) return candidate;
    }
    FAIL(name);
    return SoftwarePart{};
  };
  CHECK(part(found.libraries, "Eigen").version ==
        fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION));
  for (const char* const name : {"BLAS", "LAPACK", "KLU", "AMD", "fmt", "yaml-cpp"}) {
    CAPTURE(name);
    CHECK(std::filesystem::exists(part(found.libraries, name).place));
  }
  for (const char* const name : {"LAPACK", "SuiteSparse", "KLU", "AMD", "Spectra", "fmt", "nlohmann/json"}) {
    const std::string version = part(found.libraries, name).version;
    CHECK_MESSAGE((version.size() >= 5 && version.find_first_not_of("0123456789.") == std::string::npos), version);
  }
  CHECK(part(found.libraries, "fmt").version ==
        fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100));
  const SoftwarePart cholmod = part(found.optional, "CHOLMOD");
  CHECK(cholmod.is_there == !cholmod.version.empty());
  CHECK(cholmod.is_there == !cholmod.place.empty());
}

TEST_CASE("doctor: the JSON has what the text has, and null for what is not known") {
  Installation found = healthy();
  found.processor = "";
  found.memory = std::numeric_limits<double>::quiet_NaN();
  const Json json = Json::parse(to_json(found));
  CHECK(json["schema"] == "stillpoint.doctor/1");
  CHECK(json["libraries"][0]["file"] == "/usr/lib/libblas.so.3");
  CHECK(json["optional"][0]["present"] == false);
  CHECK(json["optional"][0]["version"].is_null());
  CHECK(json["processor"].is_null());
  CHECK(json["memory"].is_null());
  CHECK(json["advice"].empty());
  CHECK(contains(to_text(found), "\n  processor     unknown\n"));
}
