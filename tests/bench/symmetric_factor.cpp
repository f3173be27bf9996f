// How long analysing, factoring and solving with a symmetric indefinite matrix takes, and that it grows as it should:
// linearly for the bordered matrix [[K, Jᵀ], [J, 0]] of a chain of loops, as n^1.5 for a grid of n nodes.
// Where KLU (an unsymmetric factorisation, which gives no signs) is at hand, its times stand beside.
//
//   ./dev bench symmetric_factor

#include <fmt/format.h>

#if __has_include(<suitesparse/klu.h>)
#include <suitesparse/klu.h>
#define STILLPOINT_HAS_KLU
#endif

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "base/whole_program.h"
#include "stillpoint/assembly.h"
#include "stillpoint/detail/symmetric_factor.h"
#include "stillpoint/read_model.h"

using stillpoint::Index;
using stillpoint::SparseMatrix;

namespace {

using Entries = std::vector<Eigen::Triplet<double, Index>>;

SparseMatrix matrix_of(Index size, const Entries& entries) {
  SparseMatrix A(size, size);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// At the guess, with multipliers between −1 and 1 that look random.
SparseMatrix bordered_matrix_of_case(const std::string& name, double repetitions) {
  const stillpoint::Model model =
      stillpoint::read_model(STILLPOINT_SOURCE_DIR "/cases/" + name + "/model.yaml", {{"N", repetitions}});
  stillpoint::State state = model.initial_state();
  state.lambda.resize(model.constraints());
  for (Index i = 0; i < model.constraints(); ++i) state.lambda[i] = std::sin(1e3 * i);
  stillpoint::Assembly assembly(model);
  const stillpoint::Matrices& at_guess = assembly.at(state);

  Entries entries;
  const Index n = model.coordinates();
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(at_guess.K, j); entry; ++entry) {
      entries.emplace_back(entry.index(), j, entry.value());
    }
    for (SparseMatrix::InnerIterator entry(at_guess.J, j); entry; ++entry) {
      entries.emplace_back(n + entry.index(), j, entry.value());
      entries.emplace_back(j, n + entry.index(), entry.value());
    }
  }
  return matrix_of(n + model.constraints(), entries);
}

/// A membrane of side² nodes, shifted into its spectrum; every seventh node is tied to two others.
SparseMatrix tied_membrane(Index side) {
  Entries entries;
  const auto add = [&](Index i, Index j, double value) {
    entries.emplace_back(i, j, value);
    if (i != j) entries.emplace_back(j, i, value);
  };
  const Index nodes = side * side;
  for (Index k = 0; k < nodes; ++k) {
    add(k, k, 3.5);
    if (k + side < nodes) add(k + side, k, -1);
    if ((k + 1) % side != 0) add(k + 1, k, -1);
  }
  Index size = nodes;
  for (Index k = 0; k + side + 1 < nodes; k += 7, ++size) {
    const double share = 0.5 + 0.5 * std::sin(1e3 * k);
    add(size, k, 1 + share);
    add(size, k + 1, -1);
    add(size, k + side, -share);
  }
  return matrix_of(size, entries);
}

std::string klu_times([[maybe_unused]] SparseMatrix& A) {
#ifdef STILLPOINT_HAS_KLU
  stillpoint::Stopwatch watch;
  klu_common common;
  klu_defaults(&common);
  const auto size = static_cast<int>(A.rows());
  klu_symbolic* symbolic = klu_analyze(size, A.outerIndexPtr(), A.innerIndexPtr(), &common);
  const double analyse = watch.lap();
  klu_numeric* numeric = klu_factor(A.outerIndexPtr(), A.innerIndexPtr(), A.valuePtr(), symbolic, &common);
  const double factor = watch.lap();
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return fmt::format("{:>9.3f} {:>9.3f}", analyse, factor);
#else
  return "";
#endif
}

void measure(const std::string& name, SparseMatrix A, bool with_klu) {
  stillpoint::Stopwatch watch;
  stillpoint::SymmetricFactor factor(A);
  const double analyse = watch.lap();
  factor.factor(A);
  const double first = watch.lap();
  factor.factor(A);
  const double again = watch.lap();
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
  watch.lap();
  const Eigen::VectorXd x = factor.solve(b);
  const double solve = watch.lap();
  const double bound = factor.backward_error();
  const double bounding = watch.lap();
  fmt::print("{:<12} {:>8} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>8.1f} {:>8} {:>9.1e} {:>9}  {}\n", name,
             A.rows(), analyse, first, again, solve, bounding,
             static_cast<double>(factor.entries()) / static_cast<double>(A.rows()), factor.delays(), bound,
             factor.signs().negative, with_klu ? klu_times(A) : "");
}

}  // namespace

int main() {
  stillpoint::set_up_whole_program();
  fmt::print(
      "Seconds to analyse, factor, factor again, solve and bound the error; entries of L per row; pivots that had to\n"
      "wait; the bound; negative eigenvalues; seconds of KLU to analyse and factor\n\n");
  fmt::print("{:<12} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8} {:>9} {:>9}  {:>9} {:>9}\n", "matrix", "rows",
             "analyse", "factor", "again", "solve", "bound", "L/row", "delays", "error", "negative", "KLU an.",
             "KLU f.");
  for (const double N : {1e4, 1e5, 1e6}) measure("four_bar", bordered_matrix_of_case("four_bar", N), true);
  for (const double N : {1e4, 1e5}) measure("n_pendulum", bordered_matrix_of_case("n_pendulum", N), true);
  for (const double N : {1e4, 4e4}) measure("universal", bordered_matrix_of_case("universal_chain", N), true);
  for (const Index side : {100, 300, 600, 1000}) measure("membrane", tied_membrane(side), side <= 300);
}
