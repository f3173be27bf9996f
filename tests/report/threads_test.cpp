// The same bits on one thread and on several.
#include <doctest/doctest.h>

#include <complex>
#include <cstring>
#include <vector>

#include "base/in_parallel.h"
#include "stillpoint/error.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/read_model.h"
#include "stillpoint/report.h"
#include "support/at_most.h"
#include "support/modes/damped_row.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

/// All numbers of a result, one after the other.
using Bits = std::vector<double>;

void append(Bits& to, const Eigen::MatrixXcd& numbers) {
  const auto* const first = reinterpret_cast<const double*>(numbers.data());
  to.insert(to.end(), first, first + 2 * numbers.size());
}

bool same(const Bits& a, const Bits& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

template <class Work>
Bits bits_on(int threads, const Work& work) {
  const AtMost limit(threads);
  return work();
}

template <class Work>
void check_same_bits(const Work& work) {
  const Bits one = bits_on(1, work);
  CHECK(!one.empty());
  for (const int threads : {2, 3}) {
    CAPTURE(threads);
    CHECK(same(one, bits_on(threads, work)));
  }
}

AnalysisCase analysis_of(const std::string& name, const Parameters& parameters = {}) {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, parameters);
  const Equilibrium rest = find_equilibrium(model);
  return {linearize(model, rest), model, rest};
}

void append(Bits& to, const Spectrum& spectrum) {
  to.push_back(static_cast<double>(spectrum.expected));
  for (const Mode& mode : spectrum.modes) {
    append(to, Eigen::VectorXcd{{mode.s, mode.corrected}});
    to.insert(to.end(), {mode.error, mode.residual, mode.condition, mode.violation, mode.penalty_error});
    append(to, mode.shape);
    append(to, mode.left);
  }
}

/// Σ 1/k, by pieces whose number is that of the threads: what must not be done.
Bits sum_by_threads() {
  const Index pieces = most_threads(), terms = 1000;
  std::vector<double> sums(static_cast<std::size_t>(pieces), 0);
  in_parallel(pieces, [&](Index piece) {
    for (Index k = piece; k < terms; k += pieces) sums[static_cast<std::size_t>(piece)] += 1.0 / (k + 1);
  });
  double sum = 0;
  for (const double each : sums) sum += each;
  return {sum};
}

}  // namespace

TEST_CASE("threads: what is cut by their number has other bits, and this is seen") {
  CHECK(!same(bits_on(1, sum_by_threads), bits_on(2, sum_by_threads)));
}

TEST_CASE("threads: frequency responses of systems and of plants are the same bits") {
  const LinearSystem system = analysis_of("drive_train").system;
  const Eigen::VectorXd omega = log_spaced(0.1, 10, 101);
  check_same_bits([&] {
    Bits bits;
    const FrequencyResponse found = frequency_response(system, omega);
    for (const Eigen::MatrixXcd& H : found.response) append(bits, H);
    bits.insert(bits.end(), found.backward_error.begin(), found.backward_error.end());
    const Plant plant = descriptor(system);
    for (const Eigen::MatrixXcd& H : response_of(plant, omega)) append(bits, H);
    return bits;
  });
}

TEST_CASE("threads: the three spectra that are compared are the same bits") {
  for (const double N : {4.0, 300.0}) {
    const AnalysisCase analysis = analysis_of("n_pendulum", {{"N", N}});
    check_same_bits([&] {
      Bits bits;
      const Comparison found =
          compare_methods(analysis, {.modes = {.which = N < 10 ? Which(All{}) : Which(Lowest{4})}});
      for (const MethodReport& method : found.methods) append(bits, method.spectrum);
      return bits;
    });
  }
}

TEST_CASE("threads: modes that windings count are the same bits") {
  const LinearSystem system = damped_row(400, 0.5, 0.4, 0.05);
  check_same_bits([&] {
    Bits bits;
    append(bits, solve_general(system, {.which = Lowest{8}}));
    return bits;
  });
}

TEST_CASE("threads: an error in one of them is the error of the whole") {
  const LinearSystem system = analysis_of("drive_train").system;
  const AtMost limit(2);
  const auto negative = [&](Index k) { frequency_response(system, Eigen::VectorXd::Constant(1, -1.0 - k)); };
  CHECK_THROWS_WITH_AS(in_parallel(4, negative), "a frequency of -1 rad/s: it must be a number, and not negative",
                       Error);
}

TEST_CASE("threads: a number in the environment that makes no sense is refused before any work") {
  for (const std::string wrong : {"two", "0", "-1", "2x", "1.5", "4096"}) {
    const Answer answer = shell("STILLPOINT_THREADS=" + wrong + " \"$TOOL\" modes " + case_folder("four_bar"));
    CHECK(answer.code == 2);
    CHECK(answer.out == "");
    CHECK_MESSAGE(contains(answer.err, "STILLPOINT_THREADS is '" + wrong + "': it must be a whole number from 1 to"),
                  answer.err);
  }
  CHECK(shell("STILLPOINT_THREADS=2 \"$TOOL\" modes " + case_folder("four_bar")).code == 0);
  CHECK(shell("STILLPOINT_THREADS= \"$TOOL\" modes " + case_folder("four_bar")).code == 0);
}
