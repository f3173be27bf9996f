// What follows from what was found: sentences for a person who asks why something is slow, missing or wrong.
#include <fmt/format.h>

#include "installation/installation.h"

namespace stillpoint {

namespace {

// The known answers are reproduced to a few roundings times the order of the matrix, 150: 3e-14.
constexpr double largest_difference = 1e-12;

std::string wrong_answer(const std::string& what, double difference, const std::string& library) {
  return fmt::format("{} differs from its known answer by {:.1e}: do not trust results before {} is replaced", what,
                     difference, library);
}

void compare_with_known_answers(const Installation& found, std::vector<std::string>& problems) {
  const auto named = [](const std::string& kind, const std::string& file) {
    return file.empty() ? kind : kind + " (" + file + ")";
  };
  if (found.check.product > 0)
    problems.push_back(wrong_answer("a product of matrices of whole numbers, which is exact,", found.check.product,
                                    named("the BLAS", found.blas.blas_file)));
  if (found.check.eigenvalues > largest_difference)
    problems.push_back(wrong_answer("an eigenvalue of a chain of masses", found.check.eigenvalues,
                                    named("the LAPACK", found.blas.lapack_file)));
  if (found.check.pendulum > largest_difference)
    problems.push_back(wrong_answer("the frequency of a pendulum", found.check.pendulum, "this program"));
}

bool is_reference(const std::string& file) {
  return file.find("/blas/") != std::string::npos || file.find("/lapack/") != std::string::npos;
}

void look_at_blas(const Installation& found, std::vector<std::string>& advice) {
  const BlasFacts& blas = found.blas;
  if (blas.openblas_version.empty() && is_reference(blas.blas_file))
    advice.push_back(fmt::format(
        "the BLAS is the reference implementation ({}): OpenBLAS is two to seven times as fast for dense matrices; on "
        "Debian: apt-get install libopenblas0-pthread",
        blas.blas_file));
  if (!blas.openblas_version.empty() && is_reference(blas.lapack_file))
    advice.emplace_back(
        fmt::format("the BLAS is OpenBLAS, but the LAPACK is the reference implementation ({}), which is slower: on "
                    "Debian 'update-alternatives --config liblapack.so.3-x86_64-linux-gnu' chooses the other",
                    blas.lapack_file));
  if (!blas.openblas_version.empty() && !blas.has_threads)
    advice.emplace_back(
        "OpenBLAS is the serial one, which has no locks: it gives wrong numbers to programs of your own that call it "
        "from "
        "several threads; on Debian: apt-get install libopenblas0-pthread (this program holds it at one thread)");
  if (blas.kernels == "Prescott" && found.has_avx2)
    advice.emplace_back(
        "OpenBLAS does not know this processor and runs kernels of 2004 (Prescott): OPENBLAS_CORETYPE=Haswell in the "
        "environment makes large models faster");
}

void look_at_the_rest(const Installation& found, std::vector<std::string>& advice) {
  if (found.threads < found.processors)
    advice.push_back(fmt::format("STILLPOINT_THREADS allows {} of {} processors", found.threads, found.processors));
  if (!found.is_utf8)
    advice.emplace_back(
        "the locale is not UTF-8, so that the terminal may show other characters for ± and Greek letters: "
        "LC_ALL=C.UTF-8 in the environment helps");
  if (!found.python_version.empty() && found.python_version != found.version)
    advice.push_back(fmt::format("python3 imports stillpoint {}, and this program is {}: install both from one build",
                                 found.python_version, found.version));
}

}  // namespace

Diagnosis diagnose(const Installation& found) {
  Diagnosis diagnosis;
  compare_with_known_answers(found, diagnosis.problems);
  look_at_blas(found, diagnosis.advice);
  look_at_the_rest(found, diagnosis.advice);
  return diagnosis;
}

}  // namespace stillpoint
