#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "forms/minimal_form_nearby.h"
#include "forms/partition.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"
#include "support/dense_reference.h"
#include "support/error_texts.h"
#include "support/forms/systems.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

std::vector<NullSpaceBasis> all_tangents(const LinearSystem& system) {
  std::vector<NullSpaceBasis> all{NullSpaceBasis::partition,
                                  NullSpaceBasis::projective,
                                  NullSpaceBasis::lu,
                                  NullSpaceBasis::svd,
                                  NullSpaceBasis::qr,
                                  NullSpaceBasis::gram_schmidt,
                                  NullSpaceBasis::zero_eigenvalue};
  if (system.joint_tree) all.push_back(NullSpaceBasis::topological);
  return all;
}

// A solution that is refined, or an orthonormal basis: a few rounding errors.
constexpr double rounding = 1e-14;

// Eigenvalues of different bases: relative to the fastest, and its square in the slowest (theory, after (6.6)).
constexpr double same_spectrum = 1e-6;

// Without those that are zero by structure: double ones come out as ±√ε of the fastest.
std::vector<std::complex<double>> without_zeros(std::vector<std::complex<double>> values, Index zeros) {
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
  values.erase(values.begin(), values.begin() + zeros);
  return values;
}

/// The largest entry of J R relative to the largest sums that make one.
double openness(const SparseMatrix& J, const SparseMatrix& R) {
  const MatrixXd product = J * R;
  if (product.size() == 0) return 0;
  return product.cwiseAbs().maxCoeff() / (MatrixXd(J).lpNorm<Eigen::Infinity>() * R.coeffs().abs().maxCoeff());
}

bool has_regular_mass(const MinimalForm& form) {
  if (form.M.rows() == 0) return false;
  const MatrixXd M = form.M;
  if (!(M.diagonal().minCoeff() > 0)) return false;
  const Eigen::VectorXd d = M.diagonal().cwiseSqrt().cwiseInverse();
  return Eigen::LLT<MatrixXd>(d.asDiagonal() * M * d.asDiagonal()).rcond() > 1e-8;
}

}  // namespace

TEST_CASE("minimal form: every choice of tangents meets the constraints of every case") {
  for (const NamedSystem& named : all_systems()) {
    for (const NullSpaceBasis basis : all_tangents(named.system)) {
      CAPTURE(named.name);
      CAPTURE(static_cast<int>(basis));
      const MinimalForm form = minimal_form(named.system, {.basis = basis});
      CHECK(form.R.cols() == named.system.dof());
      CHECK(openness(named.system.J, form.R) < rounding);
    }
  }
}

TEST_CASE("minimal form: all choices span the same motions") {
  for (const NamedSystem& named : all_systems()) {
    const MatrixXd Q = minimal_form(named.system, {.basis = NullSpaceBasis::qr}).R;
    for (const NullSpaceBasis basis : all_tangents(named.system)) {
      CAPTURE(named.name);
      CAPTURE(static_cast<int>(basis));
      const MatrixXd R = minimal_form(named.system, {.basis = basis}).R;
      const MatrixXd outside = R - Q * (Q.transpose() * R);
      CHECK(outside.norm() <= 1e-12 * R.norm());
      CHECK(dense::rank(R) == R.cols());
    }
  }
}

TEST_CASE("minimal form: bases without coordinates are orthonormal") {
  for (const NamedSystem& named : all_systems()) {
    for (const NullSpaceBasis basis :
         {NullSpaceBasis::svd, NullSpaceBasis::qr, NullSpaceBasis::gram_schmidt, NullSpaceBasis::zero_eigenvalue}) {
      CAPTURE(named.name);
      CAPTURE(static_cast<int>(basis));
      const MinimalForm form = minimal_form(named.system, {.basis = basis});
      const MatrixXd R = form.R;
      CHECK((R.transpose() * R - MatrixXd::Identity(R.cols(), R.cols())).norm() <
            1e-13 * static_cast<double>(R.cols()));
      CHECK(form.independent.empty());
      if (R.cols() > 0) CHECK(form.names[0] == "t[1]");
    }
  }
}

TEST_CASE("minimal form: all choices have the same spectrum") {
  for (const NamedSystem& named : all_systems()) {
    const MinimalForm first = minimal_form(named.system);
    if (!has_regular_mass(first)) continue;
    const Index zeros = count_true(named.system, first).at_zero;
    const auto spectrum_of = [&](const MinimalForm& form) {
      return without_zeros(spectrum(form.M, form.C, form.K), zeros);
    };
    const auto expected = spectrum_of(first);
    double fastest = 0;
    for (const auto& s : expected) fastest = std::max(fastest, std::abs(s));
    for (const NullSpaceBasis basis : all_tangents(named.system)) {
      CAPTURE(named.name);
      CAPTURE(static_cast<int>(basis));
      const MinimalForm form = minimal_form(named.system, {.basis = basis});
      const auto found = spectrum_of(form);
      CHECK(distance(expected, found, 1e-2 * fastest) < same_spectrum);
      CHECK(distance(found, expected, 1e-2 * fastest) < same_spectrum);
    }
  }
}

TEST_CASE("minimal form: the coordinates of a neighbour are kept while they are as good as there") {
  const LinearSystem system = system_of_case("four_bar", {{"N", 5}});
  const MinimalForm usual = minimal_form(system);
  const MinimalFormNearby first = minimal_form_nearby(system, {});
  CHECK(first.form.independent == usual.independent);
  CHECK(first.partition.independent == usual.independent);
  CHECK(first.partition.largest >= 1);

  // Any other coordinate with a regular J_D is kept, and has the same spectrum.
  int kept = 0;
  for (Index z = 0; z < system.coordinates(); ++z) {
    const ChosenPartition other{{z}, 100};
    const MinimalFormNearby found = minimal_form_nearby(system, other);
    kept += found.form.independent == other.independent ? 1 : 0;
    CHECK(found.partition.independent == found.form.independent);
    CHECK(openness(system.J, found.form.R) < rounding);
    CHECK(found.form.names == std::vector<std::string>{system.coordinate_name(found.form.independent[0])});
    CHECK(distance(spectrum(usual.M, usual.C, usual.K), spectrum(found.form.M, found.form.C, found.form.K), 1e-2) <
          same_spectrum);
  }
  CHECK(kept > 1);

  const double largest = first.partition.largest;
  for (const double part : {0.51, 0.49}) {
    const Index z = usual.independent[0];
    const MinimalFormNearby found = minimal_form_nearby(system, ChosenPartition{{z}, part * largest});
    CHECK(found.partition.largest == (part > 0.5 ? part * largest : largest));
  }
  CHECK(minimal_form_nearby(system, ChosenPartition{{0, 1}, 100}).form.independent == usual.independent);

  // A hanging pendulum does not rise to first order: its height determines nothing.
  const LinearSystem hanging = rigid_pendulum(1, 0.1, 1, 9.81);
  const std::vector<Index> determined = minimal_form(hanging).independent;
  const MinimalFormNearby found = minimal_form_nearby(hanging, ChosenPartition{{1}, 100});
  CHECK(found.form.independent == determined);
  CHECK(determined != std::vector<Index>{1});
}

TEST_CASE("minimal form: rows that are not as independent as they were taken for leave it undecided") {
  ScaledConstraints constraints;
  constraints.S = MatrixXd::Ones(2, 3).sparseView();
  constraints.independent = {0, 1};
  constraints.rows = {0, 0};
  constraints.columns = {0, 0, 0};
  const SparseMatrix M(3, 3);
  CHECK_THROWS_AS(independent_by_mass(constraints, M), Undecided);
}

TEST_CASE("minimal form: a partition has its coordinates in R as they are, and their names") {
  for (const NamedSystem& named : all_systems()) {
    for (const NullSpaceBasis basis : {NullSpaceBasis::partition, NullSpaceBasis::projective, NullSpaceBasis::lu}) {
      CAPTURE(named.name);
      const MinimalForm form = minimal_form(named.system, {.basis = basis});
      REQUIRE(static_cast<Index>(form.independent.size()) == named.system.dof());
      CHECK(std::is_sorted(form.independent.begin(), form.independent.end()));
      for (std::size_t j = 0; j < form.independent.size(); ++j) {
        CHECK(form.names[j] == named.system.coordinate_name(form.independent[j]));
        for (std::size_t i = 0; i < form.independent.size(); ++i) {
          CHECK(form.R.coeff(form.independent[i], static_cast<Index>(j)) == (i == j ? 1 : 0));
        }
      }
    }
  }
}

TEST_CASE("minimal form: symmetric matrices stay exactly symmetric") {
  for (const NamedSystem& named : all_systems()) {
    CAPTURE(named.name);
    const MatrixXd K = named.system.K, K_r = minimal_form(named.system).K;
    if (K == K.transpose()) CHECK(K_r == K_r.transpose());
  }
}

TEST_CASE("minimal form: a system without constraints gives itself back") {
  MatrixXd M(2, 2), K(2, 2), C(2, 2);
  M << 2, 0.5, 0.5, 1;
  K << 3, -1, -2, 4;
  C << 0, 1, -1, 0.25;
  const MinimalForm form = minimal_form(system_of(M, K, {}, C));
  CHECK(MatrixXd(form.M) == M);
  CHECK(MatrixXd(form.K) == K);
  CHECK(MatrixXd(form.C) == C);
  CHECK(form.independent == std::vector<Index>{0, 1});
}

TEST_CASE("minimal form: a system that cannot move has a form of size 0") {
  const MinimalForm form = minimal_form(system_of(MatrixXd::Identity(2, 2), MatrixXd::Identity(2, 2),
                                                  MatrixXd::Identity(2, 2), {}, {}, MatrixXd::Ones(2, 1)));
  CHECK(form.R.rows() == 2);
  CHECK(form.R.cols() == 0);
  CHECK(form.M.rows() == 0);
  CHECK(form.F.cols() == 1);
}

TEST_CASE("minimal form: the rigid pendulum has the mass I + m l² and the stiffness m g l") {
  const double m = 3, I = 0.2, l = 0.7, g = 9.81;
  const MinimalForm form = minimal_form(rigid_pendulum(m, I, l, g), {.independent = {2}});
  CHECK(form.M.coeff(0, 0) == doctest::Approx(I + m * l * l).epsilon(1e-14));
  CHECK(form.K.coeff(0, 0) == doctest::Approx(m * g * l).epsilon(1e-14));
  CHECK(form.names == std::vector<std::string>{"q[3]"});
}

TEST_CASE("minimal form: the motion of a base drives through spring, damper and inertia") {
  // q = (base, body), the base is where u says; a mass of 0.5 couples both.
  const double k = 7, c = 0.3, m = 2, coupling = 0.5;
  MatrixXd M(2, 2), K(2, 2), C(2, 2), J(1, 2), G(1, 1), F(2, 1);
  M << 4, coupling, coupling, m;
  K << k, -k, -k, k;
  C << c, -c, -c, c;
  J << 3, 0;
  G << 3;
  F << 0, 0.25;
  const LinearSystem system = system_of(M, K, J, C, G, F);
  for (const NullSpaceBasis basis : all_tangents(system)) {
    CAPTURE(static_cast<int>(basis));
    const MinimalForm form = minimal_form(system, {.basis = basis});
    const double sign = form.R.coeff(1, 0);
    CHECK(form.S.coeff(0, 0) == doctest::Approx(1));
    CHECK(form.S.coeff(1, 0) == 0);
    CHECK(form.M.coeff(0, 0) == doctest::Approx(m));
    CHECK(sign * form.F.coeff(0, 0) == doctest::Approx(0.25 + k));
    CHECK(sign * form.Fv.coeff(0, 0) == doctest::Approx(c));
    CHECK(sign * form.Fa.coeff(0, 0) == doctest::Approx(-coupling));
  }
}

TEST_CASE("minimal form: prescribed motions that contradict each other are refused by name") {
  MatrixXd J(2, 2), G(2, 2);
  J << 1, 0, 2, 0;
  G << 1, 0, 0, 1;
  const MatrixXd I = MatrixXd::Identity(2, 2);
  const std::string text = error_of([&] { minimal_form(system_of(I, I, J, {}, G), {}); });
  CHECK(contains(text, "input 'u[1]' cannot be chosen freely"));
  CHECK(contains(text, "'constraint[1]', 'constraint[2]'"));
  G << 1, 0, 2, 0;
  CHECK(error_of([&] { minimal_form(system_of(I, I, J, {}, G), {}); }) == "");
}

TEST_CASE("minimal form: redundant constraints and singular configurations need no special care") {
  CHECK(minimal_form(system_of_case("five_bar_parallelogram")).R.cols() == 1);
  const LinearSystem flat = system_of_case("four_bar", {{"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}});
  CHECK(flat.rank() == 3);
  CHECK(minimal_form(flat).R.cols() == 2);
}

TEST_CASE("minimal form: coordinates without mass are independent only where they must be") {
  // phi of the four-bar linkage has no mass.
  const MinimalForm linkage = minimal_form(system_of_case("four_bar", {{"N", 20}}));
  CHECK(linkage.names[0] != "phi");

  // A mass and the node between spring and damper of a Maxwell element, which has two names.
  MatrixXd M = MatrixXd::Zero(3, 3), K = MatrixXd::Zero(3, 3), J(1, 3);
  M(1, 1) = 2;
  K << 5, -5, 0, -5, 5, 0, 0, 0, 0;
  J << 1, 0, -1;
  for (const NullSpaceBasis basis : {NullSpaceBasis::partition, NullSpaceBasis::projective}) {
    const MinimalForm maxwell = minimal_form(system_of(M, K, J), {.basis = basis});
    CHECK(maxwell.independent == std::vector<Index>{0, 1});
  }
}

TEST_CASE("minimal form: motions without mass that move coordinates with mass do not break the choice") {
  // Two coordinates of one mass: only their sum has inertia.
  MatrixXd M(3, 3), J(1, 3);
  M << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  J << 0, 1, 1;
  for (const NullSpaceBasis basis : {NullSpaceBasis::partition, NullSpaceBasis::projective}) {
    const MinimalForm form = minimal_form(system_of(M, MatrixXd::Identity(3, 3), J), {.basis = basis});
    CHECK(form.independent.size() == 2);
    CHECK(openness(system_of(M, M, J).J, form.R) == 0);
  }
}

TEST_CASE("minimal form: a mass matrix that is indefinite or zero leaves a valid choice") {
  MatrixXd J(1, 4);
  J << 1, 1, -1, 0;
  for (const Eigen::Vector4d& mass : {Eigen::Vector4d(1, -1, 2, -3), Eigen::Vector4d(-1, -1, -1, -1),
                                      Eigen::Vector4d(0, 0, 0, 0), Eigen::Vector4d(0, 0, 1, -1)}) {
    const LinearSystem system = system_of(mass.asDiagonal(), MatrixXd::Identity(4, 4), J);
    for (const NullSpaceBasis basis : {NullSpaceBasis::partition, NullSpaceBasis::projective}) {
      const MinimalForm form = minimal_form(system, {.basis = basis});
      CHECK(form.independent.size() == 3);
      CHECK(openness(system.J, form.R) == 0);
    }
  }
}

TEST_CASE("minimal form: coordinates that do not determine the others are refused by name") {
  const LinearSystem pendulum = rigid_pendulum(1, 1, 1, 9.81);
  const std::string text = error_of([&] { minimal_form(pendulum, {.independent = {1}}); });
  CHECK(contains(text, "'q[2]' cannot be chosen freely"));
  CHECK(contains(text, "can move while they stand still"));
  CHECK(contains(error_of([&] {
                   minimal_form(pendulum, {.independent = {0, 2}});
                 }),
                 "2 independent coordinates were given; there are 1 degrees"));
  CHECK(contains(error_of([&] { minimal_form(pendulum, {.independent = {3}}); }), "there is no coordinate 3"));
  CHECK(contains(error_of([&] {
                   minimal_form(system_of(MatrixXd::Identity(2, 2), MatrixXd::Identity(2, 2)), {.independent = {1, 1}});
                 }),
                 "'q[2]' was given twice"));
  CHECK(contains(error_of([&] { minimal_form(pendulum, {.basis = NullSpaceBasis::svd, .independent = {0}}); }),
                 "choose a partition"));
}

TEST_CASE("minimal form: where a set of coordinates fails, the set that is proposed works") {
  for (const NamedSystem& named : all_systems()) {
    if (named.system.dof() != 1) continue;
    CAPTURE(named.name);
    const MatrixXd R = minimal_form(named.system, {.basis = NullSpaceBasis::qr}).R;
    for (Index i = 0; i < named.system.coordinates(); ++i) {
      CAPTURE(i);
      const bool moves = std::abs(R(i, 0)) > 1e-9;
      CHECK(error_of([&] { minimal_form(named.system, {.independent = {i}}); }).empty() == moves);
    }
  }
}

TEST_CASE("minimal form: beyond the limit of dense matrices only a partition is made") {
  const LinearSystem chain = bent_chain(10, 1);
  for (const NullSpaceBasis basis : {NullSpaceBasis::lu, NullSpaceBasis::svd, NullSpaceBasis::qr,
                                     NullSpaceBasis::gram_schmidt, NullSpaceBasis::zero_eigenvalue}) {
    CHECK(contains(error_of([&] { minimal_form(chain, {.basis = basis, .largest_dense = 29}); }), "allowed are 29"));
    CHECK(error_of([&] { minimal_form(chain, {.basis = basis, .largest_dense = 30}); }) == "");
  }
  CHECK(contains(error_of([&] { minimal_form(chain, {.basis = NullSpaceBasis::projective, .largest_dense = 17}); }),
                 "allowed are 17 degrees of freedom and 289"));
  CHECK(error_of([&] { minimal_form(chain, {.basis = NullSpaceBasis::projective, .largest_dense = 18}); }) == "");
  CHECK(error_of([&] { minimal_form(chain, {.largest_dense = 1}); }) == "");
}

TEST_CASE("minimal form: the zero-eigenvalue theorem is refused where squares are lost in rounding") {
  MatrixXd J(2, 3);
  J << 1, 1, 0, 1, 1 + 1e-7, 0;
  const MatrixXd I = MatrixXd::Identity(3, 3);
  CHECK(contains(error_of([&] { minimal_form(system_of(I, I, J), {.basis = NullSpaceBasis::zero_eigenvalue}); }),
                 "choose svd or qr"));
  CHECK(error_of([&] { minimal_form(system_of(I, I, J), {.basis = NullSpaceBasis::svd}); }) == "");
}

TEST_CASE("minimal form: nothing grows along a chain of a thousand bars, and R stays sparse") {
  for (const double bend : {0.3, 3.0}) {
    const LinearSystem chain = bent_chain(1000, bend);
    const MinimalForm form = minimal_form(chain);
    CHECK(form.R.cols() == 1000);
    // If constraints were solved for coordinates in any order, entries would grow exponentially with the length.
    CHECK(form.R.coeffs().abs().maxCoeff() < 100);
    CHECK(openness(chain.J, form.R) < rounding);
    CHECK(form.R.nonZeros() < 3'000'000 / 10);
  }
}

TEST_CASE("minimal form: mechanisms that do not touch stay apart") {
  constexpr int count = 3000;
  std::vector<Eigen::Triplet<double, Index>> M, J;
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) M.emplace_back(3 * i + k, 3 * i + k, 1 + 0.1 * k);
    J.emplace_back(i, 3 * i, 1);
    J.emplace_back(i, 3 * i + 1, 2);
    J.emplace_back(i, 3 * i + 2, -1);
  }
  LinearSystem system;
  system.M.resize(3 * count, 3 * count);
  system.M.setFromTriplets(M.begin(), M.end());
  system.K = system.M;
  system.J.resize(count, 3 * count);
  system.J.setFromTriplets(J.begin(), J.end());
  const MinimalForm form = minimal_form(checked(std::move(system)));
  CHECK(form.R.nonZeros() == 4 * count);
  CHECK(form.M.nonZeros() == 4 * count);
}

TEST_CASE("minimal form: units of coordinates and constraints change nothing but units") {
  const LinearSystem metres = system_of_case("slider_crank_spatial");
  LinearSystem mixed = metres;
  Eigen::VectorXd u(mixed.coordinates()), v(mixed.constraints());
  for (Index i = 0; i < u.size(); ++i) u[i] = std::pow(10.0, (i * 5) % 7 - 3);
  for (Index i = 0; i < v.size(); ++i) v[i] = std::pow(10.0, (i * 3) % 7 - 3);
  for (SparseMatrix* A : {&mixed.M, &mixed.C, &mixed.K}) *A = u.asDiagonal() * *A * u.asDiagonal();
  mixed.J = v.asDiagonal() * mixed.J * u.asDiagonal();
  const MinimalForm a = minimal_form(metres), b = minimal_form(mixed);
  CHECK(a.independent == b.independent);
  const double ratio = std::pow(u[a.independent[0]], 2);
  CHECK(b.M.coeff(0, 0) == doctest::Approx(ratio * a.M.coeff(0, 0)).epsilon(1e-10));
  CHECK(b.K.coeff(0, 0) == doctest::Approx(ratio * a.K.coeff(0, 0)).epsilon(1e-10));
}

}  // namespace stillpoint
