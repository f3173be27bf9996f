// Why a spectrum is not certified: each reason is provoked, has a sentence, and neither calls a value in question true
// nor lets it decide a verdict.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "stillpoint/error.h"
#include "stillpoint/stability.h"
#include "support/modes/damped_row.h"
#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using Matrix = Eigen::MatrixXd;
using Found = std::map<Uncertified, int>;

void note(const Spectrum& spectrum, Found& found) {
  for (const Uncertified reason : spectrum.reasons) ++found[reason];
  CHECK(spectrum.certified == spectrum.reasons.empty());
}

enum class Family { chains_of_vectors, graded, mixed, critically_damped, little_mass, cyclic };

/// Systems that doubles hardly decide: defective, graded over many decades, or nearly singular.
LinearSystem hostile(Family family, std::uint64_t seed) {
  Random random(seed);
  const Index n = random.whole(2, 9);
  Matrix M = Matrix::Identity(n, n), C = Matrix::Zero(n, n), K = Matrix::Identity(n, n);
  const auto any = [&](double low, double high) {
    const double size = random.scaled(low, high);
    return size * random.entry();
  };
  switch (family) {
    case Family::chains_of_vectors:
      for (Index i = 0; i + 1 < n; ++i) K(i, i + 1) = random.scaled(1e-3, 1e3);
      break;
    case Family::graded:
      for (Index i = 0; i < n; ++i) K(i, i) = random.scaled(1e-12, 1e12);
      for (double& c : C.reshaped()) c = any(1e-10, 1e6);
      break;
    case Family::mixed:
      for (double& k : K.reshaped()) k += any(1e-8, 1e8);
      for (double& c : C.reshaped()) c = any(1e-8, 1e8);
      break;
    case Family::critically_damped:
      K *= 4;
      C = 4 * M;
      for (Index i = 0; i + 1 < n; ++i) K(i, i + 1) = random.scaled(1e-12, 1);
      break;
    case Family::little_mass:
      for (Index i = 0; i < n; ++i) M(i, i) = random.scaled(1e-18, 1);
      for (double& c : C.reshaped()) c = random.entry();
      break;
    case Family::cyclic:
      for (Index i = 0; i + 1 < n; ++i) K(i, i + 1) = 1e3;
      K(n - 1, 0) = random.scaled(1e-14, 1e-3);
      C = random.between(-0.1, 0.1) * M;
      break;
  }
  return stillpoint::testing::system_of(M, C, K);
}

/// All that finds modes of one system, as far as it does.
void find_all(const LinearSystem& system, std::uint64_t seed, Found& found) {
  Random random(seed + 1000);
  const auto n = static_cast<int>(system.coordinates());
  const auto attempt = [&](const auto& solve) {
    try {
      note(solve(), found);
    } catch (const Error&) {  // a motion without mass, damping and stiffness, for example
    }
  };
  attempt([&] { return solve_modes(system, minimal_form(system)); });
  attempt([&] { return solve_modes(system, descriptor_form(system), count_true(system, minimal_form(system))); });
  const Index lowest = random.whole(1, n), nearest = random.whole(1, 2);
  const double real = random.between(-1, 1), imaginary = random.between(0, 2);
  for (const Which& which : {Which(Lowest{lowest}), Which(Nearest{{real, imaginary}, nearest}), Which(Unstable{})})
    attempt([&] { return solve_general(system, {.which = which}); });
}

/// Ten pairs of masses, each tied by a spring 10¹² times as stiff as those that hold it; the lowest frequencies of the
/// pairs differ by less than what rounding of the stiff springs changes them.
LinearSystem stiff_pairs() {
  constexpr Index pairs = 10;
  constexpr double stiff = 1e12, more = 0x1p-9;
  Matrix K = Matrix::Zero(2 * pairs, 2 * pairs);
  for (Index p = 0; p < pairs; ++p) {
    const double diagonal = stiff + 1 + more * p;
    K.block(2 * p, 2 * p, 2, 2) << diagonal, -stiff, -stiff, diagonal;
  }
  return stillpoint::testing::system_of(Matrix::Identity(2 * pairs, 2 * pairs), Matrix::Zero(2 * pairs, 2 * pairs), K);
}

}  // namespace

TEST_CASE("uncertified: each reason is provoked") {
  Found found;
  for (const Family family : {Family::chains_of_vectors, Family::graded, Family::mixed, Family::critically_damped,
                              Family::little_mass, Family::cyclic}) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) find_all(hostile(family, seed), seed, found);
  }
  const LinearSystem row = damped_row(100, 0.01, 0);
  const Spectrum uncounted = solve_general(row, {.which = Lowest{3}, .certify = false});
  note(uncounted, found);
  note(continue_into_penalty(row, row, {}, uncounted), found);
  note(solve_conservative(stiff_pairs(), {.which = Lowest{3}}), found);
  for (const Uncertified reason :
       {Uncertified::missing, Uncertified::not_counted, Uncertified::instability_unbounded, Uncertified::rank_unclear,
        Uncertified::zeros_unclear, Uncertified::edge_unclear, Uncertified::no_error_bound,
        Uncertified::loose_error_bound, Uncertified::nearly_defective, Uncertified::dependent_vectors,
        Uncertified::large_residual, Uncertified::from_uncertified}) {
    CAPTURE(to_words(reason));
    CHECK(found[reason] > 0);
  }
}

TEST_CASE("uncertified: each reason has a sentence of its own") {
  std::map<std::string, int> sentences;
  for (const Uncertified reason :
       {Uncertified::count_differs, Uncertified::missing, Uncertified::not_counted, Uncertified::out_of_time,
        Uncertified::instability_unbounded, Uncertified::sign_hidden, Uncertified::classes_disagree,
        Uncertified::rank_unclear, Uncertified::zeros_unclear, Uncertified::edge_unclear, Uncertified::no_error_bound,
        Uncertified::loose_error_bound, Uncertified::nearly_defective, Uncertified::dependent_vectors,
        Uncertified::large_residual, Uncertified::continuation_failed, Uncertified::from_uncertified})
    CHECK(++sentences[to_words(reason)] == 1);
  CHECK(sentences.count("") == 0);
}

TEST_CASE("uncertified: no value in question is called true, and none decides a verdict") {
  int in_question = 0;
  for (const Family family : {Family::chains_of_vectors, Family::critically_damped, Family::cyclic}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const LinearSystem system = hostile(family, seed);
      const AnalysisOptions options{};
      ModeFinder finder(system, options);
      const FoundModes answer = finder.find(Method::mcs, false);
      const std::vector<Uncertified>& reasons = answer.spectrum.reasons;
      if (std::none_of(reasons.begin(), reasons.end(), questions_values)) continue;
      ++in_question;
      for (const Mode& mode : answer.spectrum.modes) CHECK(mode.kind != ModeClass::genuine);
      CHECK(judge(finder, answer).stability == Stability::undecided);
    }
  }
  CHECK(in_question > 5);
}
