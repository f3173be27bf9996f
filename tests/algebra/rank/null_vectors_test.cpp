// Left null vectors from the sparse QR factorisation: they vanish, they are independent, and they are short.

#include "algebra/rank/null_vectors.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

constexpr double noise = 1e-12;      // what remains of a sum of rows that is zero
constexpr double vanishing = 1e-11;  // sums of some ten rows of numbers up to 10

struct Found {
  std::vector<Combination> combinations;
  std::vector<Index> position;
  Index dead = 0;
};

Found found_in(const MatrixXd& S) {
  const SparseMatrix sparse = S.sparseView(), transposed = sparse.transpose();
  const SparseQr qr(sparse, transposed, fill_reducing_order(sparse, transposed),
                    {.dead = noise, .late = {}, .dropped = {}});
  return {null_combinations(sparse, qr, noise), qr.tree().position, static_cast<Index>(S.rows()) - qr.live()};
}

MatrixXd dense_of(const std::vector<Combination>& combinations, Eigen::Index rows) {
  MatrixXd N = MatrixXd::Zero(rows, static_cast<Eigen::Index>(combinations.size()));
  for (std::size_t k = 0; k < combinations.size(); ++k) {
    for (const Combination::Term& term : combinations[k].terms) N(term.row, static_cast<Eigen::Index>(k)) = term.value;
  }
  return N;
}

}  // namespace

TEST_CASE("null vectors: of independent rows there are none") {
  Random random(1);
  CHECK(found_in(MatrixXd::Identity(4, 6)).combinations.empty());
  CHECK(found_in(MatrixXd::NullaryExpr(5, 8, [&](auto, auto) { return random.entry(); })).combinations.empty());
}

TEST_CASE("null vectors: a row that is 2 a − 3 b gives the combination 2, −3, −1 and no other rows") {
  Random random(2);
  MatrixXd S = MatrixXd::NullaryExpr(6, 9, [&](auto, auto) { return random.entry(); });
  S.row(4) = 2 * S.row(1) - 3 * S.row(2);
  const Found found = found_in(S);
  REQUIRE(found.combinations.size() == 1);
  const std::vector<Combination::Term>& terms = found.combinations[0].terms;
  REQUIRE(terms.size() == 3);
  CHECK(terms[0].row == 1);
  CHECK(terms[1].row == 2);
  CHECK(terms[2].row == 4);
  CHECK(terms[0].value / terms[2].value == doctest::Approx(-2).epsilon(1e-10));
  CHECK(terms[1].value / terms[2].value == doctest::Approx(3).epsilon(1e-10));
}

TEST_CASE("null vectors: each vanishes, and together they are independent, as many as there are dead positions") {
  Random random(3);
  for (int draw = 0; draw < 20; ++draw) {
    CAPTURE(draw);
    const Eigen::Index independent = random.whole(3, 12), more = random.whole(1, 5);
    MatrixXd S = MatrixXd::Zero(independent + more, independent + 4);
    for (Eigen::Index i = 0; i < independent; ++i) {
      S(i, i) = 2 * random.entry();
      S(i, i + 1) = random.entry();
    }
    for (Eigen::Index i = 0; i < more; ++i) {
      const auto of = static_cast<Index>(independent + i);
      S.row(of) = random.entry() * S.row(random.below(of)) + random.entry() * S.row(random.below(of));
    }
    const Found found = found_in(S);
    CHECK(found.dead == more);
    REQUIRE(static_cast<Eigen::Index>(found.combinations.size()) == more);
    const MatrixXd N = dense_of(found.combinations, S.rows());
    CHECK((N.transpose() * S).cwiseAbs().maxCoeff() < vanishing);
    CHECK(dense::rank(N) == more);
    for (const Combination& combination : found.combinations) {
      CHECK(std::is_sorted(combination.terms.begin(), combination.terms.end(),
                           [](const auto& a, const auto& b) { return a.row < b.row; }));
    }
  }
}

TEST_CASE("null vectors: in each the dead row is the last in the order of elimination") {
  MatrixXd S(4, 3);
  S << 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, -1, 0;
  const Found found = found_in(S);
  REQUIRE(found.combinations.size() == 2);
  std::vector<Index> last;
  for (const Combination& combination : found.combinations) {
    Index latest = 0;
    for (const Combination::Term& term : combination.terms) latest = std::max(latest, found.position[term.row]);
    last.push_back(latest);
  }
  CHECK(last[0] != last[1]);
}
