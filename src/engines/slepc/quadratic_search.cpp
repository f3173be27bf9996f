#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "engines/slepc/searches.h"

namespace stillpoint::slepc {

namespace {

using Complex = std::complex<double>;

constexpr const char* searching = "SLEPc's search fails";
constexpr double equal = 1e-6;         // relative: no region ends between values that are nearer
constexpr double rigid = 1e-4;         // of the farthest wanted value: such a near one hides the others
constexpr double beside_rigid = 0.1;   // of the farthest wanted value, the shift beside a rigid-body motion
constexpr double first_beside = 1e-2;  // the same while no value is known
constexpr double too_far = 10;         // of the farthest wanted value: from such a shift others converge first
constexpr double beside_point = 1e-5;  // relative, of a shift beside the point that was asked for
constexpr double beside_zero = 1e-5;   // rounding separates the two zeros of a free motion by less
constexpr double same = 1e-10;         // relative: sums of vectors of such values are vectors, too
constexpr double independent = 1e-3;   // part of a vector that is new beside those of equal values
constexpr double margin = 0.05;        // of a gap, kept from its ends by the shifts that count (theory 11.8)
constexpr int most_searches = 6;
constexpr PetscInt additional = 6, most_in_band = 500;

using OwnedSearch = Owned<PEP, PEPDestroy>;

/// The numbers of a search: a value, and its vector as the answer holds it.
struct QuadraticPair {
  Complex value;
  std::vector<OwnedVector> parts;
};

class QuadraticSearch {
 public:
  explicit QuadraticSearch(const EngineTask& task) : task_(task), centre_(task.kind == "band" ? Complex(0) : task.at) {}

  Pairs find();

 private:
  struct End {
    double last = 0, next = 0;
  };

  OwnedSearch configured(Complex sigma, PetscInt wanted) const;
  std::optional<double> search(Complex sigma, PetscInt wanted);
  void search_for_copies(Complex sigma, PetscInt wanted, double radius);
  bool has_copies(double radius) const;
  double farthest_wanted() const;
  void take(PEP search);
  bool is_new(const QuadraticPair& pair) const;
  std::vector<QuadraticPair> with_real_vectors(QuadraticPair pair) const;
  void make_orthogonal_to_copies(QuadraticPair& pair) const;
  void sort();
  bool is_near_real_axis(const QuadraticPair& pair) const {
    return std::abs(pair.value.imag()) <= same * std::abs(pair.value) + task_.zero;
  }
  double distance(const QuadraticPair& pair) const { return std::abs(pair.value - centre_); }
  std::optional<End> end_behind(PetscInt count, double clear) const;
  PetscInt found() const { return static_cast<PetscInt>(found_.size()); }
  PetscInt wanted_in_region() const;
  std::optional<PetscInt> pairs_by_inertia(const End& end, std::vector<SignsOfMatrix>& inertia) const;
  PetscInt eigenvalues_inside(double radius) const;

  const EngineTask& task_;
  Complex centre_;
  std::vector<QuadraticPair> found_;
  Pairs answer_;
};

PetscScalar as_scalar(Complex s) {
#if defined(PETSC_USE_COMPLEX)
  return s;
#else
  return s.real();
#endif
}

Complex inner_product(const QuadraticPair& a, const QuadraticPair& b) {
  const auto dot = [](const OwnedVector& x, const OwnedVector& y) {
    PetscScalar value = 0;
    check(VecDot(y.get(), x.get(), &value), searching);  // of y with the conjugate of x
    return Complex(PetscRealPart(value), PetscImaginaryPart(value));
  };
  if (a.parts.size() == 1) return dot(a.parts[0], b.parts[0]);
  return dot(a.parts[0], b.parts[0]) + dot(a.parts[1], b.parts[1]) +
         Complex(0, 1) * (dot(a.parts[0], b.parts[1]) - dot(a.parts[1], b.parts[0]));
}

// Solves the small problem of how much of the pair is left beside those of equal values.
bool QuadraticSearch::is_new(const QuadraticPair& pair) const {
  std::vector<const QuadraticPair*> equals;
  for (const QuadraticPair& other : found_) {
    if (std::abs(other.value - pair.value) <= equal * std::abs(pair.value) + task_.zero) equals.push_back(&other);
  }
  const std::size_t n = equals.size();
  if (n == 0) return true;
  std::vector<std::vector<Complex>> gram(n + 1, std::vector<Complex>(n + 1));
  equals.push_back(&pair);
  for (std::size_t i = 0; i <= n; ++i) {
    for (std::size_t j = 0; j <= n; ++j) gram[i][j] = inner_product(*equals[i], *equals[j]);
  }
  const double whole = gram[n][n].real();
  for (std::size_t k = 0; k < n; ++k) {  // Gaussian elimination leaves the part that is orthogonal to all others
    if (std::abs(gram[k][k]) < 1e-300) continue;
    for (std::size_t i = k + 1; i <= n; ++i) {
      const Complex factor = gram[i][k] / gram[k][k];
      for (std::size_t j = k; j <= n; ++j) gram[i][j] -= factor * gram[k][j];
    }
  }
  return gram[n][n].real() > independent * independent * whole;
}

/// y + c x
void add(const QuadraticPair& x, Complex c, QuadraticPair& y) {
  const auto add_part = [](PetscScalar factor, const OwnedVector& from, const OwnedVector& to) {
    check(VecAXPY(to.get(), factor, from.get()), searching);
  };
#if defined(PETSC_USE_COMPLEX)
  add_part(c, x.parts[0], y.parts[0]);
#else
  add_part(c.real(), x.parts[0], y.parts[0]);
  add_part(-c.imag(), x.parts[1], y.parts[0]);
  add_part(c.imag(), x.parts[0], y.parts[1]);
  add_part(c.real(), x.parts[1], y.parts[1]);
#endif
}

// The vectors of a multiple eigenvalue come from rounding, and may nearly depend on each other.
void QuadraticSearch::make_orthogonal_to_copies(QuadraticPair& pair) const {
  for (const QuadraticPair& other : found_) {
    const bool is_copy = std::abs(other.value - pair.value) <= same * std::abs(pair.value) + task_.zero;
    if (is_copy) add(other, -inner_product(other, pair) / inner_product(other, other), pair);
  }
  const double length = std::sqrt(inner_product(pair, pair).real());
  for (const OwnedVector& part : pair.parts) check(VecScale(part.get(), 1 / length), searching);
}

// Rounding makes conjugate pairs of equal real values. Their vectors have real and imaginary parts that are vectors,
// too.
std::vector<QuadraticPair> QuadraticSearch::with_real_vectors(QuadraticPair pair) const {
  std::vector<QuadraticPair> pairs;
  if (is_complex_build || pair.value.imag() == 0 || !is_near_real_axis(pair)) {
    pairs.push_back(std::move(pair));
    return pairs;
  }
  for (OwnedVector& part : pair.parts) {
    QuadraticPair& real = pairs.emplace_back(QuadraticPair{pair.value.real(), {}});
    real.parts.push_back(std::move(part));
    real.parts.emplace_back();
    check(MatCreateVecs(task_.A[0].get(), real.parts.back().out(), nullptr), searching);
    check(VecSet(real.parts.back().get(), 0), searching);
  }
  return pairs;
}

void QuadraticSearch::take(PEP pep) {
  PetscInt converged = 0;
  check(PEPGetConverged(pep, &converged), searching);
  const bool is_first = found_.empty();
  for (PetscInt k = 0; k < converged; ++k) {
    QuadraticPair pair;
    for (int part = 0; part < (is_complex_build ? 1 : 2); ++part) {
      pair.parts.emplace_back();
      check(MatCreateVecs(task_.A[0].get(), pair.parts.back().out(), nullptr), searching);
    }
    PetscScalar real = 0, imaginary = 0;
    check(PEPGetEigenpair(pep, k, &real, &imaginary, pair.parts.front().get(),
                          is_complex_build ? nullptr : pair.parts.back().get()),
          searching);
    pair.value = {PetscRealPart(real), is_complex_build ? PetscImaginaryPart(real) : PetscRealPart(imaginary)};
    if (is_complex_build && is_near_real_axis(pair)) pair.value = pair.value.real();
    if (!std::isfinite(std::abs(pair.value)) || pair.value.imag() < 0) continue;
    if (is_first && std::abs(pair.value) < beside_zero && std::abs(pair.value) > task_.zero) {
      found_.push_back(std::move(pair));  // one of two zeros that rounding has separated: both have the same vector
      continue;
    }
    for (QuadraticPair& one : with_real_vectors(std::move(pair))) {
      if (!is_new(one)) continue;
      make_orthogonal_to_copies(one);
      found_.push_back(std::move(one));
    }
  }
}

OwnedSearch QuadraticSearch::configured(Complex sigma, PetscInt wanted) const {
  OwnedSearch search;
  check(PEPCreate(PETSC_COMM_WORLD, search.out()), searching);
  PEP pep = search.get();
  Mat all[3] = {task_.A[0].get(), task_.A[1].get(), task_.A[2].get()};
  check(PEPSetOperators(pep, 3, all), searching);
  check(PEPSetProblemType(pep, PEP_GENERAL), searching);
  check(PEPSetType(pep, PEPTOAR), searching);
  check(PEPSetDimensions(pep, wanted, PETSC_DEFAULT, PETSC_DEFAULT), searching);
  check(PEPSetTolerances(pep, task_.tolerance, 300), searching);
  check(PEPSetWhichEigenpairs(pep, PEP_TARGET_MAGNITUDE), searching);
  check(PEPSetTarget(pep, as_scalar(sigma)), searching);
  // Of a value near zero the block of the longest vector, which is SLEPc's choice, consists of rounding errors.
  check(PEPSetExtract(pep, PEP_EXTRACT_RESIDUAL), searching);
  use_mumps(transformation_of(pep), false);
  const OwnedVector first = random_vector(task_.A[0].get(), 104729ul + static_cast<unsigned long>(answer_.searches));
  Vec start_vector = first.get();
  check(PEPSetInitialSpace(pep, 1, &start_vector), searching);
  check(PEPSetFromOptions(pep), searching);
  return search;
}

// Returns the distance from the point within which everything has converged; nothing if the shift is an eigenvalue to
// rounding, where the factorisation is worth nothing, or if the search breaks down.
std::optional<double> QuadraticSearch::search(Complex sigma, PetscInt wanted) {
  const double start = MPI_Wtime();
  const OwnedSearch search = factored([&] { return configured(sigma, wanted); });
  const PEP pep = search.get();
  if (!is_regular(transformation_of(pep))) return {};
  const PetscErrorCode outcome = PEPSolve(pep);
  ++answer_.searches;
  if (outcome == PETSC_ERR_LIB) return {};  // LAPACK cannot swap eigenvalues that are too close
  check(outcome, searching);
  PetscInt iterations = 0, converged = 0;
  check(PEPGetIterationNumber(pep, &iterations), searching);
  answer_.iterations += iterations;
  take(pep);
  check(PEPGetConverged(pep, &converged), searching);
  double clear = 0;
  for (PetscInt k = 0; k < std::min(converged, wanted); ++k) {
    PetscScalar real = 0, imaginary = 0;
    check(PEPGetEigenpair(pep, k, &real, &imaginary, nullptr, nullptr), searching);
    const Complex value(PetscRealPart(real), is_complex_build ? PetscImaginaryPart(real) : PetscRealPart(imaginary));
    if (std::isfinite(std::abs(value))) clear = std::max(clear, std::abs(value - sigma));
  }
  answer_.search_seconds += MPI_Wtime() - start;
  return (1 - equal) * clear - std::abs(sigma - centre_);
}

void QuadraticSearch::sort() {
  std::stable_sort(found_.begin(), found_.end(),
                   [&](const QuadraticPair& a, const QuadraticPair& b) { return distance(a) < distance(b); });
}

/// The first gap behind `count` values; all up to the distance `clear` are known.
std::optional<QuadraticSearch::End> QuadraticSearch::end_behind(PetscInt count, double clear) const {
  for (auto k = static_cast<std::size_t>(count); k <= found_.size(); ++k) {
    const double last = k > 0 ? distance(found_[k - 1]) : 0;
    const double next = std::min(k < found_.size() ? distance(found_[k]) : clear, clear);
    if (last > clear) return {};
    if (next > task_.zero && next - last > equal * next) return End{last, next};
  }
  return {};
}

PetscInt QuadraticSearch::wanted_in_region() const {
  if (task_.kind != "band") return task_.count;
  return static_cast<PetscInt>(std::count_if(
      found_.begin(), found_.end(), [&](const QuadraticPair& pair) { return std::abs(pair.value) <= task_.to; }));
}

/// Counts the conjugate pairs in a disc around zero under light damping; nothing if the undamped problem differs.
std::optional<PetscInt> QuadraticSearch::pairs_by_inertia(const End& end, std::vector<SignsOfMatrix>& inertia) const {
  if (!task_.wants_inertia || !task_.is_symmetric || centre_ != 0.0) return {};
  const double low = end.last + margin * (end.next - end.last), high = end.next - margin * (end.next - end.last);
  inertia = {signs_of(task_, 1, 0, -low * low), signs_of(task_, 1, 0, -high * high)};
  const bool is_clear = inertia[0].zero == 0 && inertia[1].zero == 0 && inertia[0].negative == inertia[1].negative;
  return is_clear ? std::optional(inertia[0].negative - task_.constraints) : std::nullopt;
}

PetscInt QuadraticSearch::eigenvalues_inside(double radius) const {
  PetscInt count = 0;
  for (const QuadraticPair& pair : found_) {
    if (distance(pair) < radius) count += pair.value.imag() > 0 ? 2 : 1;
  }
  return count;
}

double QuadraticSearch::farthest_wanted() const {
  const auto wanted = static_cast<std::size_t>(std::max<PetscInt>(task_.count, 1));
  return found_.empty() ? 0 : distance(found_[std::min(found_.size(), wanted) - 1]);
}

bool QuadraticSearch::has_copies(double radius) const {
  const auto is_equal = [&](const QuadraticPair& a, const QuadraticPair& b) {
    return std::abs(a.value - b.value) <= equal * std::abs(b.value) + task_.zero;
  };
  for (std::size_t k = 0; k < found_.size() && distance(found_[k]) < radius; ++k) {
    for (std::size_t i = 0; i < k; ++i) {
      if (is_equal(found_[i], found_[k])) return true;
    }
  }
  return false;
}

// In exact arithmetic one start vector finds one vector of each multiple eigenvalue, and rounding brings others. Other
// start vectors find other combinations, until one brings nothing new.
void QuadraticSearch::search_for_copies(Complex sigma, PetscInt wanted, double radius) {
  for (int again = 0; again < most_searches && has_copies(radius); ++again) {
    const std::size_t before = found_.size();
    search(sigma, wanted);
    sort();
    if (found_.size() == before) return;
  }
}

// The shift is at the point, where the wanted values are the nearest, or beside it if an eigenvalue is there.
Pairs QuadraticSearch::find() {
  const PetscInt all = 2 * (task_.coordinates - task_.constraints);
  Complex sigma = is_complex_build ? centre_ * (1 + beside_point) : centre_;
  PetscInt wanted = std::min((is_complex_build ? 1 : 2) * (task_.kind == "band" ? 10 : task_.count) + additional, all);
  std::optional<End> end;
  for (int attempt = 0; attempt < most_searches; ++attempt) {
    const std::optional<double> clear = search(sigma, wanted);
    sort();
    const double farthest = farthest_wanted(), off = std::abs(sigma - centre_);
    const bool all_are_zeros = farthest < beside_zero;
    if (!clear) {
      sigma = centre_ + (all_are_zeros ? first_beside * (1 + attempt) : beside_rigid * farthest);
      continue;
    }
    const bool is_hidden = sigma == centre_ && !found_.empty() && distance(found_[0]) < rigid * farthest;
    const bool is_far = off > beside_point * std::abs(centre_) && off > too_far * farthest;
    if (!all_are_zeros && (is_hidden || is_far)) {
      sigma = centre_ + beside_rigid * farthest;
      found_.clear();
      continue;
    }
    const bool is_enough = task_.kind != "band" || *clear > task_.to;
    if (wanted >= all) end = end_behind(std::min(wanted_in_region(), found()), 2 * *clear + task_.to);
    else if (is_enough) end = end_behind(wanted_in_region(), *clear);
    if (end || wanted >= std::min(all, 2 * most_in_band)) break;
    wanted = std::min(2 * wanted, all);
  }
  if (!end) {
    answer_.is_converged = false;
    answer_.message = "as many modes as were asked for have not converged";
    const double last = found_.empty() ? 0 : distance(found_.back());
    end = End{last, 1.1 * last + task_.zero};
  }
  const double radius = 0.5 * (end->last + end->next);
  const std::optional<PetscInt> pairs = pairs_by_inertia(*end, answer_.inertia);
  for (int again = 0; again < most_searches && pairs && eigenvalues_inside(radius) < 2 * *pairs; ++again) {
    search(sigma, std::min(2 * (2 * *pairs - eigenvalues_inside(radius)) + wanted, all));
    sort();
  }
  if (!pairs) search_for_copies(sigma, wanted, radius);
  answer_.from = end->last;
  answer_.to = end->next;
  for (QuadraticPair& pair : found_) {
    if (distance(pair) >= radius) continue;
    answer_.values.push_back(pair.value);
    for (OwnedVector& part : pair.parts) answer_.vectors.push_back(std::move(part));
  }
  return std::move(answer_);
}

}  // namespace

Pairs find_quadratic(const EngineTask& task) { return QuadraticSearch(task).find(); }

}  // namespace stillpoint::slepc
