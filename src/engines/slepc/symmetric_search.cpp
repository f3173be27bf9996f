#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "engines/slepc/searches.h"

namespace stillpoint::slepc {

namespace {

constexpr const char* searching = "SLEPc's search fails";
constexpr double beside_zero = -1e-9;  // a shift there is regular where A0 is singular
constexpr double equal = 1e-6;         // relative: no region ends between values that are nearer
constexpr double rigid = 1e-6;         // of the farthest wanted value: such a near one hides the others
constexpr double nearer_shift = -0.1;  // of the farthest wanted value
constexpr int most_searches = 8;
constexpr PetscInt additional = 4, most_in_band = 500;

using OwnedSearch = Owned<EPS, EPSDestroy>;

class SymmetricSearch {
 public:
  explicit SymmetricSearch(const EngineTask& task) : task_(task), A0_(task.A[0].get()), A2_(task.A[2].get()) {}

  Pairs find() {
    if (task_.kind == "band") find_band();
    else if (task_.kind == "near") find_near();
    else find_lowest();
    return std::move(pairs_);
  }

 private:
  struct Edge {
    PetscInt below = 0;
    double at = 0;
  };

  void find_lowest();
  void find_near();
  void find_band();
  OwnedSearch configured(double sigma, PetscInt wanted) const;
  void search(double sigma, PetscInt wanted);
  void take(EPS search);
  bool has_mass(Vec z) const;
  void keep_inside(const std::vector<double>& distances, double radius);
  void search_for_missing(double sigma, PetscInt expected);
  std::optional<Edge> count_below(double mu, double outwards);
  double mu(std::size_t k) const { return pairs_.values[k].real(); }
  template <class Distance>
  std::vector<double> sort_by(const Distance& distance);
  PetscInt found() const { return static_cast<PetscInt>(pairs_.values.size()); }

  const EngineTask& task_;
  Mat A0_, A2_;
  Pairs pairs_;
  PetscInt dof() const { return task_.coordinates - task_.constraints; }
};

/// The middle of the first gap behind `count` of the ascending distances; nothing if none is wide enough.
std::optional<double> end_behind(const std::vector<double>& distances, PetscInt count, double zero) {
  for (std::size_t k = static_cast<std::size_t>(std::max<PetscInt>(count, 1)); k < distances.size(); ++k) {
    if (distances[k] > zero && distances[k] - distances[k - 1] > equal * distances[k])
      return 0.5 * (distances[k - 1] + distances[k]);
  }
  return {};
}

OwnedSearch SymmetricSearch::configured(double sigma, PetscInt wanted) const {
  OwnedSearch search;
  check(EPSCreate(PETSC_COMM_WORLD, search.out()), searching);
  EPS eps = search.get();
  check(EPSSetOperators(eps, A0_, A2_), searching);
  check(EPSSetProblemType(eps, EPS_GHEP), searching);
  check(EPSSetType(eps, EPSKRYLOVSCHUR), searching);
  check(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE), searching);
  check(EPSSetTarget(eps, sigma), searching);
  check(EPSSetDimensions(eps, wanted, PETSC_DEFAULT, PETSC_DEFAULT), searching);
  check(EPSSetTolerances(eps, task_.tolerance, 300), searching);
  use_mumps(transformation_of(eps), true);
  std::vector<Vec> known;
  for (const OwnedVector& vector : pairs_.vectors) known.push_back(vector.get());
  if (!known.empty()) check(EPSSetDeflationSpace(eps, static_cast<PetscInt>(known.size()), known.data()), searching);
  const OwnedVector first = random_vector(A0_, 7919ul + static_cast<unsigned long>(pairs_.searches));
  Vec start_vector = first.get();
  check(EPSSetInitialSpace(eps, 1, &start_vector), searching);
  check(EPSSetFromOptions(eps), searching);
  return search;
}

// Adds the pairs that converge nearest to the shift, orthogonal to those that are known.
void SymmetricSearch::search(double sigma, PetscInt wanted) {
  const double start = MPI_Wtime();
  const OwnedSearch search = factored([&] { return configured(sigma, wanted); });
  const EPS eps = search.get();
  check(EPSSolve(eps), searching);
  ++pairs_.searches;
  PetscInt iterations = 0;
  check(EPSGetIterationNumber(eps, &iterations), searching);
  pairs_.iterations += iterations;
  if (!is_regular(transformation_of(eps))) pairs_.message = "the matrix is singular at a shift";
  take(eps);
  pairs_.search_seconds += MPI_Wtime() - start;
}

// A system of few degrees of freedom has fewer eigenvalues than a basis has vectors: the others are infinite, and their
// vectors move nothing.
bool SymmetricSearch::has_mass(Vec z) const {
  constexpr double least = 1e-13;  // of the square of the length, where the entries of the matrices are near one
  OwnedVector product;
  check(VecDuplicate(z, product.out()), searching);
  check(MatMult(A2_, z, product.get()), searching);
  PetscScalar mass = 0;
  PetscReal length = 0;
  check(VecDot(product.get(), z, &mass), searching);
  check(VecNorm(z, NORM_2, &length), searching);
  return PetscRealPart(mass) > least * length * length;
}

void SymmetricSearch::take(EPS eps) {
  PetscInt converged = 0;
  check(EPSGetConverged(eps, &converged), searching);
  for (PetscInt k = 0; k < converged; ++k) {
    PetscScalar value = 0;
    OwnedVector vector;
    check(MatCreateVecs(A0_, vector.out(), nullptr), searching);
    check(EPSGetEigenpair(eps, k, &value, nullptr, vector.get(), nullptr), searching);
    if (!std::isfinite(PetscRealPart(value)) || !has_mass(vector.get())) continue;
    pairs_.values.emplace_back(PetscRealPart(value));
    pairs_.vectors.push_back(std::move(vector));
  }
}

template <class Distance>
std::vector<double> SymmetricSearch::sort_by(const Distance& distance) {
  std::vector<std::size_t> order(pairs_.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distance(mu(a)) < distance(mu(b)); });
  std::vector<std::complex<double>> values;
  std::vector<OwnedVector> vectors;
  std::vector<double> distances;
  for (const std::size_t k : order) {
    values.push_back(pairs_.values[k]);
    distances.push_back(distance(mu(k)));
    vectors.push_back(std::move(pairs_.vectors[k]));
  }
  pairs_.values = std::move(values);
  pairs_.vectors = std::move(vectors);
  return distances;
}

void SymmetricSearch::keep_inside(const std::vector<double>& distances, double radius) {
  const auto inside = static_cast<std::size_t>(
      std::count_if(distances.begin(), distances.end(), [&](double distance) { return distance < radius; }));
  pairs_.values.resize(inside);
  pairs_.vectors.resize(inside);
}

// The end of a region must keep off the eigenvalues: it moves outwards until no pivot is zero to rounding.
std::optional<SymmetricSearch::Edge> SymmetricSearch::count_below(double mu, double outwards) {
  constexpr int most_moves = 4;
  for (int move = 0; move < most_moves; ++move, mu += outwards) {
    const SignsOfMatrix signs = signs_of(task_, 1, 0, -mu);
    if (signs.zero > 0) continue;
    pairs_.inertia.push_back(signs);
    return Edge{signs.negative - task_.constraints, mu};
  }
  return {};
}

// One start vector finds one vector of each multiple eigenvalue; what the count misses is searched for beside these,
// one copy after the other if need be. Values outside of the region may converge first, so that some more are asked
// for.
void SymmetricSearch::search_for_missing(double sigma, PetscInt expected) {
  constexpr int most_without_gain = 3;
  for (int without_gain = 0; without_gain < most_without_gain && found() < expected;) {
    const PetscInt before = found();
    search(sigma, std::min(expected - before + additional, dof() - before));
    const std::vector<double> outside =
        sort_by([&](double value) { return value > pairs_.from && value < pairs_.to ? 0.0 : 1.0; });
    keep_inside(outside, 0.5);
    without_gain = found() > before ? 0 : without_gain + 1;
  }
}

void SymmetricSearch::find_lowest() {
  const auto size = [](double value) { return std::abs(value); };
  double sigma = beside_zero;
  PetscInt wanted = std::min(task_.count + additional, dof());
  std::vector<double> distances;
  std::optional<double> radius;
  for (int attempt = 0; attempt < most_searches; ++attempt) {
    pairs_.values.clear();
    pairs_.vectors.clear();
    search(sigma, wanted);
    distances = sort_by(size);
    const bool is_all = found() >= dof();
    const double farthest =
        distances.empty() ? 0 : distances[static_cast<std::size_t>(std::min(task_.count, found()) - 1)];
    const bool is_hidden = !distances.empty() && distances[0] < rigid * farthest && sigma > nearer_shift * farthest;
    if (is_hidden && sigma != nearer_shift * farthest) {
      sigma = nearer_shift * farthest;
      continue;
    }
    radius = is_all && !distances.empty() ? std::optional(2 * distances.back() + task_.zero)
                                          : end_behind(distances, task_.count, task_.zero);
    if (radius) break;
    wanted = std::min(2 * wanted, dof());
  }
  if (!radius) {
    pairs_.is_converged = false;
    pairs_.message = "as many modes as were asked for have not converged";
    radius = distances.empty() ? 1 : 1.5 * distances.back();
  }
  keep_inside(distances, *radius);
  pairs_.from = -*radius;
  pairs_.to = *radius;
  if (!task_.wants_inertia) return;
  const SignsOfMatrix begin = signs_of(task_, 1, 0, *radius), end = signs_of(task_, 1, 0, -*radius);
  pairs_.inertia = {begin, end};
  if (begin.zero == 0 && end.zero == 0) search_for_missing(sigma, end.negative - begin.negative);
}

void SymmetricSearch::find_band() {
  const double from = task_.from * task_.from, to = task_.to * task_.to, step = 1e-6 * (to - from);
  const std::optional<Edge> begin = count_below(from > 0 ? from : -step, -step), end = count_below(to, step);
  if (!begin || !end) throw EngineFailure("the matrix is singular at the ends of the band");
  pairs_.from = begin->at;
  pairs_.to = end->at;
  const PetscInt expected = end->below - begin->below;
  if (expected > most_in_band)
    throw EngineFailure("there are " + std::to_string(expected) + " modes in the band, and at most " +
                        std::to_string(most_in_band) + " are searched for");
  count_below(-task_.zero, -task_.zero);
  count_below(task_.zero, task_.zero);
  const double middle = 0.5 * (pairs_.from + pairs_.to);
  search_for_missing(middle, expected);
}

void SymmetricSearch::find_near() {
  const double omega = task_.at.imag(), sigma = omega * omega * (1 + 1e-9);
  const auto off = [&](double value) { return std::abs(std::sqrt(std::max(0.0, value)) - omega); };
  PetscInt wanted = std::min(task_.count + additional, dof());
  std::vector<double> distances;
  std::optional<double> width;
  for (int attempt = 0; attempt < most_searches; ++attempt) {
    pairs_.values.clear();
    pairs_.vectors.clear();
    search(sigma, wanted);
    distances = sort_by(off);
    width = end_behind(distances, task_.count, 0);
    if (width || found() >= dof()) break;
    wanted = std::min(2 * wanted, dof());
  }
  if (!width || *width >= 0.9 * omega) throw EngineFailure("there are not so many modes near the point");
  keep_inside(distances, *width);
  pairs_.from = std::pow(omega - *width, 2);
  pairs_.to = std::pow(omega + *width, 2);
  if (!task_.wants_inertia) return;
  const SignsOfMatrix begin = signs_of(task_, 1, 0, -pairs_.from), end = signs_of(task_, 1, 0, -pairs_.to);
  pairs_.inertia = {begin, end};
  count_below(-task_.zero, -task_.zero);
  count_below(task_.zero, task_.zero);
  if (begin.zero == 0 && end.zero == 0) search_for_missing(sigma, end.negative - begin.negative);
}

}  // namespace

Pairs find_symmetric(const EngineTask& task) { return SymmetricSearch(task).find(); }

}  // namespace stillpoint::slepc
