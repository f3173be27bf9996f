// Sizes of matrices and factors, and times of factorisations. The witnesses of the counts: elimination done on flags,
// closed forms, the elimination tree of the LDLᵀ factorisation, and for predicted sizes the matrices themselves.

#include "stillpoint/sparsity.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "algebra/ordering/pattern_graph.h"
#include "base/at.h"
#include "sparsity/cholesky.h"
#include "sparsity/sparsity_advice.h"
#include "sparsity/sparsity_ldlt.h"
#include "sparsity/sparsity_lu.h"
#include "sparsity/sparsity_prediction.h"
#include "sparsity/spy.h"
#include "sparsity/symmetric_pattern.h"
#include "stillpoint/detail/symmetric_factor.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"
#include "support/seeded.h"
#include "support/stopping.h"
#include "support/tool.h"

using namespace stillpoint;
using Json = nlohmann::json;

namespace {

using Triplets = std::vector<Eigen::Triplet<double, Index>>;
using Flags = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>;

/// Whether the build has no CHOLMOD (STILLPOINT_CHOLMOD=OFF).
const bool no_cholmod = cholesky_library().empty();

SparseMatrix matrix(Index rows, Index columns, const Triplets& entries) {
  SparseMatrix A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// Not symmetric; rows without entries and entries that are zero are in, too.
SparseMatrix random_matrix(Random& seeded, Index size, Index entries) {
  Triplets list;
  for (Index k = 0; k < entries; ++k) {
    const Index i = seeded.below(size), j = seeded.below(size);
    list.emplace_back(i, j, seeded.below(8) == 0 ? 0.0 : seeded.between(1, 2));
  }
  return matrix(size, size, list);
}

/// The five-point star on a square of side × side.
SparseMatrix grid(Index side) {
  Triplets list;
  for (Index i = 0; i < side * side; ++i) {
    list.emplace_back(i, i, 4);
    if ((i + 1) % side != 0) list.emplace_back(i, i + 1, -1);
    if (i + side < side * side) list.emplace_back(i, i + side, -1);
  }
  return matrix(side * side, side * side, list);
}

/// Row and column `hub` are full, everything else is diagonal.
SparseMatrix arrow(Index size, Index hub) {
  Triplets list;
  for (Index i = 0; i < size; ++i) {
    list.emplace_back(i, i, 1);
    if (i != hub) list.emplace_back(i, hub, 1);
  }
  return matrix(size, size, list);
}

/// L by elimination, row by row of the order, on flags.
Flags eliminated(const SparseMatrix& A, const std::vector<Index>& order) {
  const Eigen::MatrixXd dense = A.toDense();
  const auto n = static_cast<Index>(A.cols());
  Flags L = Flags::Constant(n, n, false);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index a = order[at(i)], b = order[at(j)];
      L(i, j) = i == j || dense(a, b) != 0 || dense(b, a) != 0;
    }
  }
  for (Index k = 0; k < n; ++k) {
    for (Index i = k + 1; i < n; ++i) {
      for (Index j = k + 1; j < n; ++j) L(i, j) = L(i, j) || (L(i, k) && L(k, j));
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) L(i, j) = false;
  }
  return L;
}

FactorCount count_of(const Flags& L) {
  FactorCount count{.entries = 0, .flops = 0};
  for (Index j = 0; j < L.cols(); ++j) {
    const auto length = L.col(j).count();
    count.entries += length;
    count.flops += static_cast<double>(length * length);
  }
  return count;
}

void check_same(const FactorCount& a, const FactorCount& b) {
  CHECK(a.entries == b.entries);
  CHECK(a.flops == b.flops);  // sums of integers, far below 2^53
}

std::vector<Index> natural_order(Index size) {
  std::vector<Index> order(at(size));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<Index> amd_order(const SparseMatrix& A) {
  return minimum_degree_order(pattern_graph(symmetric_pattern(A)));
}

FactorCount count_by_cholesky(const SparseMatrix& A, CholeskyOrder order) {
  return measure_cholesky(symmetric_pattern(A), order);
}

/// The count by the elimination tree of our own.
FactorCount count_by_tree(const SparseMatrix& A, const std::vector<Index>& order) {
  FactorCount count{.entries = 0, .flops = 0};
  for (const std::int64_t length : find_elimination_tree(pattern_graph(symmetric_pattern(A)), order).count) {
    count.entries += length;
    count.flops += static_cast<double>(length * length);
  }
  return count;
}

constexpr CholeskyOrder all_orders[] = {CholeskyOrder::natural, CholeskyOrder::amd, CholeskyOrder::metis};

// ----- systems

LinearSystem system_of(const SparseMatrix& M, const SparseMatrix& K, const SparseMatrix& J) {
  LinearSystem system;
  system.name = "made by hand";
  system.M = M;
  system.K = K;
  system.J = J;
  return checked(std::move(system));
}

LinearSystem system_of_case(const std::string& name, const Parameters& parameters = {}) {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, parameters);
  return linearize(model, find_equilibrium(model));
}

SparseMatrix identity(Index n) {
  SparseMatrix I(n, n);
  I.setIdentity();
  return I;
}

/// Carriages on each other's backs: x_i = x_{i-1} + s_i, with coordinates (s_1, x_1, s_2, x_2, …).
SparseMatrix carriages(Index count) {
  Triplets list;
  for (Index i = 0; i < count; ++i) {
    list.emplace_back(i, 2 * i, -1.0);
    list.emplace_back(i, 2 * i + 1, 1.0);
    if (i > 0) list.emplace_back(i, 2 * i - 1, -1.0);
  }
  return matrix(count, 2 * count, list);
}

/// So heavy in s that s is independent: then R is a triangle, and M_r is full.
LinearSystem system_of_carriages(Index count) {
  Triplets masses;
  for (Index i = 0; i < count; ++i) {
    masses.emplace_back(2 * i, 2 * i, 1e4);
    masses.emplace_back(2 * i + 1, 2 * i + 1, 1.0);
  }
  return system_of(matrix(2 * count, 2 * count, masses), identity(2 * count), carriages(count));
}

std::vector<Index> every_second(Index n) {
  std::vector<Index> list;
  for (Index i = 0; i < n; i += 2) list.push_back(i);
  return list;
}

bool some_contains(const std::vector<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return contains(text, part); });
}

SparsityReport::Property property(const SparsityReport& report, const std::string& feature) {
  for (const SparsityReport::Property& row : report.properties) {
    if (row.feature == feature) return row;
  }
  return {};
}

// ----- pictures

/// Every element that is opened is closed, in order, and every attribute stands in quotation marks.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at_tag = xml.find('<'); at_tag != std::string::npos; at_tag = xml.find('<', at_tag + 1)) {
    const std::size_t end = xml.find('>', at_tag);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at_tag + 1, end - at_tag - 1);
    if (tag.find('<') != std::string::npos || std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.front() == '/') {
      if (open.empty() || "/" + open.back() != tag) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  for (std::size_t amp = xml.find('&'); amp != std::string::npos; amp = xml.find('&', amp + 1)) {
    if (xml.substr(amp, 5) != "&amp;" && xml.substr(amp, 4) != "&lt;" && xml.substr(amp, 4) != "&gt;" &&
        xml.substr(amp, 6) != "&quot;") {
      return false;
    }
  }
  return open.empty();
}

/// What the paths of a picture paint: how many cells, whatever their shade, each only once.
Flags painted(const std::string& svg, Index cells) {
  Flags seen = Flags::Constant(cells, cells, false);
  for (std::size_t begin = svg.find(" d=\""); begin != std::string::npos; begin = svg.find(" d=\"", begin + 1)) {
    const char* p = svg.c_str() + begin + 4;
    int x = 0, y = 0, dx = 0, dy = 0, length = 0, used = 0;
    while (std::sscanf(p, "m%d %dh%d%n", &dx, &dy, &length, &used) == 3) {
      x += dx;
      y += dy;
      for (const int end = x + length; x < end; ++x) {
        REQUIRE(!seen(y, x));
        seen(y, x) = true;
      }
      p += used;
    }
    REQUIRE(*p == '"');
  }
  return seen;
}

std::string drawn(const Spy& spy) {
  Svg svg;
  add_pattern(svg, 0, 0, 100, spy);
  return svg.finish(100, 100, "test");
}

Spy factor_of(const SparseMatrix& A) {
  const PatternGraph graph = pattern_graph(symmetric_pattern(A));
  return spy_factor(graph, find_elimination_tree(graph, natural_order(graph.size())));
}

std::int64_t shaded(const Spy& spy) {
  return std::count_if(spy.shades.begin(), spy.shades.end(), [](unsigned char shade) { return shade > 0; });
}

}  // namespace

// ----- counts

TEST_CASE("sparsity: the Cholesky factor's count is that of an elimination on flags" * doctest::skip(no_cholmod)) {
  Random seeded(1);
  for (int draw = 0; draw < 300; ++draw) {
    const Index size = 1 + seeded.below(30);
    const SparseMatrix A = random_matrix(seeded, size, seeded.below(4 * size));
    check_same(count_by_cholesky(A, CholeskyOrder::natural), count_of(eliminated(A, natural_order(size))));
    check_same(count_by_cholesky(A, CholeskyOrder::amd), count_of(eliminated(A, amd_order(A))));
    const FactorCount metis = count_by_cholesky(A, CholeskyOrder::metis);
    const auto lower =
        count_of(Flags(Flags(symmetric_pattern(A).toDense().array() != 0).triangularView<Eigen::Lower>()));
    CHECK(metis.entries >= lower.entries);
    CHECK(metis.entries <= std::int64_t{size} * (size + 1) / 2);
  }
}

TEST_CASE("sparsity: for large matrices the count is that of the elimination tree of LDLᵀ" *
          doctest::skip(no_cholmod)) {
  Random seeded(3);
  std::vector<SparseMatrix> matrices{grid(40), arrow(50, 0), random_matrix(seeded, 400, 900),
                                     random_matrix(seeded, 2000, 5000)};
  for (const char* name : {"four_bar", "n_pendulum", "universal_chain", "five_bar_parallelogram"}) {
    const LinearSystem system = system_of_case(name);
    matrices.push_back(system.M);
    matrices.push_back(system.K);
    matrices.push_back(SparseMatrix(system.J.transpose()) * system.J);
  }
  for (const SparseMatrix& A : matrices) {
    const auto size = static_cast<Index>(A.cols());
    check_same(count_by_cholesky(A, CholeskyOrder::natural), count_by_tree(A, natural_order(size)));
    check_same(count_by_cholesky(A, CholeskyOrder::amd), count_by_tree(A, amd_order(A)));
  }
}

TEST_CASE("sparsity: counts in closed form" * doctest::skip(no_cholmod)) {
  constexpr Index n = 100;
  const auto natural = [](const SparseMatrix& A) { return count_by_cholesky(A, CholeskyOrder::natural); };
  check_same(natural(SparseMatrix(n, n)), {.entries = n, .flops = n});  // the diagonal is always there
  check_same(natural(SparseMatrix(0, 0)), {.entries = 0, .flops = 0});
  check_same(natural(arrow(n, n - 1)), {.entries = 2 * n - 1, .flops = 4 * (n - 1) + 1});
  check_same(natural(arrow(n, 0)), {.entries = n * (n + 1) / 2, .flops = n * (n + 1) * (2 * n + 1) / 6});

  // A band: from the second row of the grid on, elimination fills all of it.
  constexpr Index side = 12;
  const FactorCount band = natural(grid(side));
  std::int64_t entries = 0;
  for (Index j = 0; j < side * side; ++j) entries += std::min(side, side * side - 1 - j) + 1;
  CHECK(band.entries <= entries);
  CHECK(band.entries >= entries - side * (side - 1) / 2);  // the first row's columns grow one by one

  check_same(count_by_cholesky(arrow(n, 0), CholeskyOrder::amd), natural(arrow(n, n - 1)));
}

TEST_CASE("sparsity: nested dissection of a grid stays within George's bound, which a band exceeds" *
          doctest::skip(no_cholmod)) {
  constexpr Index side = 256;
  const double n = side * side, bound = 31.0 / 4 * n * std::log2(n);  // [George 1973], entries of L
  CHECK(static_cast<double>(count_by_cholesky(grid(side), CholeskyOrder::metis).entries) < bound);
  CHECK(static_cast<double>(count_by_cholesky(grid(side), CholeskyOrder::natural).entries) > bound);
}

TEST_CASE("sparsity: full and uncoupled matrices are no difficulty in any order" * doctest::skip(no_cholmod)) {
  constexpr Index n = 30;
  const SparseMatrix full = Eigen::MatrixXd::Ones(n, n).sparseView();
  for (const CholeskyOrder order : all_orders) {
    CAPTURE(static_cast<int>(order));
    CHECK(count_by_cholesky(full, order).entries == n * (n + 1) / 2);
    CHECK(count_by_cholesky(SparseMatrix(n, n), order).entries == n);
    CHECK(count_by_cholesky(identity(1), order).entries == 1);
    CHECK(count_by_cholesky(SparseMatrix(0, 0), order).entries == 0);
  }
}

TEST_CASE(
    "sparsity: LDLᵀ with a diagonal is counted as Cholesky in the order of AMD; its factor stores at least that") {
  Random seeded(2);
  for (int draw = 0; draw < 100; ++draw) {
    const Index size = 1 + seeded.below(30);
    const SparseMatrix A = random_matrix(seeded, size, seeded.below(4 * size)) + identity(size) * 4.0;
    check_same(count_ldlt(symmetric_pattern(A)), count_of(eliminated(A, amd_order(A))));
  }
  const SparseMatrix lower = grid(30), A = lower.selfadjointView<Eigen::Upper>();
  SymmetricFactor factor(A);
  factor.factor(A);
  const FactorCount counted = count_ldlt(symmetric_pattern(A));
  CHECK(factor.entries() >= counted.entries);
  CHECK(factor.entries() < 2 * counted.entries);  // supernodes store few zeros
}

TEST_CASE("sparsity: LDLᵀ pairs an unknown without a diagonal entry with a neighbour") {
  check_same(count_ldlt(symmetric_pattern(matrix(2, 2, {{0, 1, 1.0}}))), {.entries = 3, .flops = 5});
  // Two pairs (x_i, λ_i), which are coupled by x_1 and x_2: in columns of 4, 3, 2 and 1 entries.
  const SparseMatrix A = matrix(4, 4, {{0, 0, 2.0}, {1, 1, 2.0}, {0, 1, 1.0}, {0, 2, 1.0}, {1, 3, 1.0}});
  check_same(count_ldlt(symmetric_pattern(A)), {.entries = 10, .flops = 30});
}

// ----- times

TEST_CASE("sparsity: a positive definite matrix is factored in both forms, another in none" *
          doctest::skip(no_cholmod)) {
  const SparseMatrix upper = grid(20), A = upper.selfadjointView<Eigen::Upper>(), indefinite = -A;
  const SparseMatrix pattern = symmetric_pattern(A);
  for (const CholeskyOrder order : all_orders) {
    CAPTURE(static_cast<int>(order));
    const FactorCount counted = measure_cholesky(pattern, order);
    CHECK(std::isnan(counted.seconds));
    CHECK(counted.supernodal.entries == 0);

    const FactorCount timed = measure_cholesky(pattern, order, {.matrix = &A, .memory = 1e9});
    check_same(timed, counted);
    CHECK(timed.seconds > 0);
    CHECK(timed.supernodal.seconds > 0);
    CHECK(timed.supernodal.entries >= timed.entries);

    const FactorCount failed = measure_cholesky(pattern, order, {.matrix = &indefinite, .memory = 1e9});
    check_same(failed, counted);
    CHECK(std::isnan(failed.seconds));
    CHECK(std::isnan(failed.supernodal.seconds));

    const FactorCount large = measure_cholesky(pattern, order, {.matrix = &A, .memory = 1e3});
    check_same(large, counted);
    CHECK(std::isnan(large.seconds));
    CHECK(std::isnan(large.supernodal.seconds));
  }
}

TEST_CASE("sparsity: values may leave out entries of the pattern" * doctest::skip(no_cholmod)) {
  const SparseMatrix pattern = symmetric_pattern(grid(12)), A = identity(144);
  for (const CholeskyOrder order : all_orders) {
    const FactorCount timed = measure_cholesky(pattern, order, {.matrix = &A, .memory = 1e9});
    CHECK(timed.seconds > 0);
    CHECK(timed.supernodal.seconds > 0);
  }
}

TEST_CASE("sparsity: each factorisation is timed that exists, and none if that is not asked for") {
  const LinearSystem system = system_of_case("four_bar", {{"N", 20}});
  const SparsityReport report = measure_sparsity(system, {.times = true});
  CHECK((report.M_p.amd.seconds > 0) == !no_cholmod);
  CHECK((report.ucs.amd.seconds > 0) == !no_cholmod);
  CHECK((report.ucs.amd.supernodal.seconds > 0) == !no_cholmod);
  CHECK(std::isnan(report.M_q.amd.seconds));  // the angle has no mass
  CHECK(std::isnan(report.rcs.amd.seconds));  // indefinite
  for (const MatrixSparsity* matrix : {&report.M_r, &report.M_q, &report.M_p, &report.mcs, &report.rcs, &report.ucs}) {
    CAPTURE(matrix->name);
    CHECK(matrix->ldlt.seconds > 0);
    CHECK(matrix->lu.is_known() == (matrix->name != "M_q"));
    CHECK((matrix->lu.seconds > 0) == matrix->lu.is_known());
  }
  CHECK(contains(to_text(report), "\ntimes "));
  CHECK(!no_cholmod == contains(to_text(report), "supernodal Cholesky"));
  const Json json = Json::parse(to_json(report));
  CHECK(json["matrices"]["factorised"]["ucs"]["ldlt"]["seconds"].is_number());
  CHECK(json["matrices"]["factorised"]["rcs"]["lu"]["seconds"].is_number());
  if (!no_cholmod) {
    const Json& factor = json["matrices"]["factorised"]["ucs"]["factor"]["amd"];
    CHECK(factor["seconds"].is_number());
    CHECK(factor["supernodal"]["nnz"].is_number_integer());
    CHECK(factor["supernodal"]["seconds"].is_number());
    CHECK(json["matrices"]["M_q"]["factor"]["amd"]["seconds"].is_null());
  }

  const SparsityReport untimed = measure_sparsity(system);
  CHECK(!contains(to_text(untimed), "\ntimes "));
  CHECK(untimed.rcs.lu.entries == report.rcs.lu.entries);
  CHECK(std::isnan(untimed.rcs.lu.seconds));
  CHECK(std::isnan(untimed.M_p.ldlt.seconds));
  CHECK(Json::parse(to_json(untimed))["matrices"]["M_p"]["ldlt"]["seconds"].is_null());
}

TEST_CASE("sparsity: a matrix that is not symmetric has an LU factorisation only") {
  const SparseMatrix K = matrix(2, 2, {{0, 0, 3.0}, {0, 1, 1.0}, {1, 0, -1.0}, {1, 1, 3.0}});
  const SparsityReport report = measure_sparsity(system_of(identity(2), K, SparseMatrix(0, 2)), {.times = true});
  CHECK(report.mcs.best().entries == 3);
  CHECK(report.mcs.lu.seconds > 0);
  CHECK(std::isnan(report.mcs.amd.seconds));
  CHECK(std::isnan(report.mcs.ldlt.seconds));
  CHECK(report.M_r.ldlt.seconds > 0);
}

// ----- without CHOLMOD

TEST_CASE("sparsity: without CHOLMOD the report compares by LDLᵀ and says what is missing") {
  SparsityReport report = measure_sparsity(system_of_case("four_bar", {{"N", 1000}}), {.times = true});
  if (!no_cholmod) {  // what a build without it leaves out
    CHECK(report.cholesky.starts_with("CHOLMOD "));
    CHECK(contains(to_text(report), report.cholesky));
    CHECK(Json::parse(to_json(report))["cholesky"] == report.cholesky);
    report.cholesky.clear();
    for (MatrixSparsity* matrix : {&report.M_r, &report.M_q, &report.M_p, &report.mcs, &report.rcs, &report.ucs}) {
      matrix->natural = matrix->amd = matrix->metis = {};
    }
    advise(report);
  }
  CHECK(std::string(report.rcs.best_order()) == "LDLᵀ");
  CHECK(report.rcs.best().entries == report.rcs.ldlt.entries);
  CHECK(report.rcs.fill() >= 1);
  CHECK(report.suits == "mcs");
  const std::string text = to_text(report);
  CHECK(contains(text, "need a build with CHOLMOD (STILLPOINT_CHOLMOD=ON)"));
  CHECK(contains(text, "L of LDLᵀ"));
  CHECK(contains(text, "LU with pivots (KLU)"));
  CHECK(!contains(text, "supernodal"));
  const Json json = Json::parse(to_json(report));
  CHECK(json["cholesky"].is_null());
  CHECK(json["matrices"]["factorised"]["rcs"]["factor"]["amd"].is_null());
  CHECK(json["matrices"]["factorised"]["rcs"]["order"] == "LDLᵀ");
  CHECK(json["matrices"]["factorised"]["rcs"]["ldlt"]["nnz"] == report.rcs.ldlt.entries);
}

// ----- LU

TEST_CASE("sparsity: an LU with pivots is counted in closed form, and unknown for a singular matrix") {
  constexpr Index n = 20;
  const SparseMatrix full = (Eigen::MatrixXd::Ones(n, n) + n * Eigen::MatrixXd::Identity(n, n)).sparseView();
  CHECK(count_lu(full).entries == n * n);
  CHECK(count_lu(identity(n)).entries == n);
  const SparseMatrix triangle = full.triangularView<Eigen::Upper>();
  CHECK(count_lu(triangle).entries == n * (n + 1) / 2);
  CHECK(count_lu(triangle).flops == 0);  // nothing is eliminated
  CHECK(count_lu(SparseMatrix(0, 0)).entries == 0);
  CHECK(!count_lu(SparseMatrix(n, n)).is_known());
  const SparseMatrix rank_one = Eigen::MatrixXd::Ones(n, n).sparseView();
  CHECK(!count_lu(rank_one).is_known());
}

// ----- predicted sizes

TEST_CASE("sparsity: the predicted sizes of R and M_r are those of random systems, numbers being generic") {
  Random seeded(4);
  int compared = 0;
  for (int draw = 0; draw < 200; ++draw) {
    const Index n = 2 + seeded.below(30), r = 1 + seeded.below(n - 1);
    Triplets list;
    for (Index i = 0; i < r; ++i) {
      for (Index k = 0; k < 1 + seeded.below(3); ++k) list.emplace_back(i, seeded.below(n), seeded.between(0.5, 1.5));
      list.emplace_back(i, i, seeded.between(0.5, 1.5));
    }
    const SparseMatrix J = matrix(r, n, list);
    const Eigen::MatrixXd dense = J.toDense();
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(dense.leftCols(r));
    if (!lu.isInvertible() || lu.rcond() < 1e-6) continue;
    ++compared;

    std::vector<Index> independent;
    for (Index i = r; i < n; ++i) independent.push_back(i);
    Eigen::MatrixXd R(n, n - r);
    R << lu.solve(-dense.rightCols(n - r)), Eigen::MatrixXd::Identity(n - r, n - r);
    Triplets masses;
    for (Index i = 0; i < 2 * n; ++i) masses.emplace_back(seeded.below(n), seeded.below(n), seeded.between(0.5, 1.5));
    const SparseMatrix M = matrix(n, n, masses);
    constexpr double zero = 1e-12;  // rounding at 1e-6 leaves 1e-10 × ε of it; entries are products of numbers near 1
    const auto count = [&](const Eigen::MatrixXd& A) { return static_cast<double>((A.array().abs() > zero).count()); };
    const MinimalSize size = predict_minimal_size(J, independent, M, identity(n));
    CHECK(size.R == count(R));
    CHECK(size.M_r == count(R.transpose() * M * R));
    CHECK(size.pencil == count(R.transpose() * R));
  }
  CHECK(compared > 100);
}

TEST_CASE("sparsity: of thousands of degrees of freedom a part is followed, and the size extrapolated") {
  constexpr Index k = 3000;
  const MinimalSize size = predict_minimal_size(carriages(k), every_second(2 * k), identity(2 * k), identity(2 * k));
  // R has a triangle below its ones; M_r is full, as every pair of coordinates moves the last point.
  constexpr double part = 1.0 / 512;  // the step between those that are followed
  CHECK(size.R == doctest::Approx(k + 0.5 * k * (k + 1)).epsilon(2 * part));
  CHECK(size.M_r == doctest::Approx(1.0 * k * k).epsilon(1e-12));
}

TEST_CASE("sparsity: a minimal form that would not fit is predicted, not formed, and RCS is advised") {
  constexpr Index k = 600;
  const LinearSystem system = system_of_carriages(k);
  const SparsityReport report = measure_sparsity(system, {.memory = 4e6});
  CHECK(report.M_r.predicted);
  CHECK(report.M_r.entries == std::int64_t{k} * k);
  CHECK(contains(report.M_r.note, "GB allowed"));
  CHECK(report.mcs.predicted);
  CHECK(report.suits == "rcs");
  CHECK(contains(report.advice.front(), "not formed"));
  CHECK(report.M_r.amd.is_known() == false);
  CHECK(report.M_r.natural.entries == std::int64_t{k} * (k + 1) / 2);  // full, so that is known
  CHECK(contains(to_text(report), "≤3.6e+05"));
  const Json json = Json::parse(to_json(report));
  CHECK(json["matrices"]["M_r"]["predicted"] == true);
  CHECK(json["matrices"]["M_r"]["factor"]["amd"].is_null());

  const SparsityReport formed = measure_sparsity(system);
  CHECK(!formed.M_r.predicted);
  CHECK(static_cast<double>(formed.R_entries) == doctest::Approx(static_cast<double>(report.R_entries)).epsilon(0.01));
  CHECK(formed.M_r.entries == report.M_r.entries);
  CHECK(formed.M_r.best().entries == report.M_r.best().entries);
  CHECK(formed.M_r.best().flops == report.M_r.best().flops);
}

TEST_CASE("sparsity: a constraint on very many coordinates makes M_p too large, which is predicted") {
  constexpr Index n = 2000;
  Triplets all;
  for (Index j = 0; j < n; ++j) all.emplace_back(0, j, 1.0);
  const SparsityReport report =
      measure_sparsity(system_of(identity(n), identity(n), matrix(1, n, all)), {.memory = 1e6});
  CHECK(report.M_p.predicted);
  CHECK(report.M_p.entries == std::int64_t{n} * n);
  CHECK(report.ucs.predicted);
  CHECK(report.suits == "rcs");
}

// ----- reports

TEST_CASE("sparsity: the four-bar of 20 loops is one number in MCS, 85 rows in RCS and 43 in UCS") {
  const LinearSystem system = system_of_case("four_bar", {{"N", 20}});
  const SparsityReport report = measure_sparsity(system);
  CHECK(report.M_r.size == 1);
  CHECK(report.M_r.entries == 1);
  CHECK(report.M_q.size == 43);
  CHECK(report.mcs.best().entries == 1);
  CHECK(report.rcs.size == 85);
  CHECK(report.ucs.size == 43);
  CHECK(report.mcs_order() == 1);
  CHECK(report.rcs_order() == 128);
  CHECK(report.ucs_order() == 43);
  CHECK(property(report, "spurious eigenvalues").rcs == "126, infinite");
  CHECK(property(report, "spurious eigenvalues").ucs == "84, finite");
  CHECK(report.suits == "mcs");
  CHECK(contains(report.advice.front(), "order 1, against 128 (RCS) and 43 (UCS)"));
  // The massless angle makes M singular; constraints carry it along in the other two.
  CHECK(report.M_q.regular == false);
  CHECK(report.M_r.regular == true);
  CHECK(report.M_p.regular == true);
  CHECK(report.rcs.lu.is_known());
  CHECK(report.rcs.lu.entries >= report.rcs.lower_entries);

  CHECK(measure_sparsity(system_of_case("four_bar", {{"N", 20}, {"c", 1}})).mcs_order() == 2);
}

TEST_CASE("sparsity: M_q counts its entries; zeros that are stored do not count") {
  const LinearSystem system = system_of_case("four_bar", {{"N", 20}});
  const SparsityReport report = measure_sparsity(system);
  CHECK(report.M_q.entries == (system.M.toDense().array() != 0).count());
  CHECK(report.M_q.density() == doctest::Approx(static_cast<double>(report.M_q.entries) / (43 * 43)));
  CHECK(report.M_q.fill() >= 1);
  const double rows = 43 + 42;
  const auto in_pencil =
      (system.M.toDense().array() != 0 || system.C.toDense().array() != 0 || system.K.toDense().array() != 0).count();
  CHECK(report.rcs.entries == in_pencil + 2 * (system.J.toDense().array() != 0).count());
  CHECK(report.rcs.density() == doctest::Approx(static_cast<double>(report.rcs.entries) / (rows * rows)));
}

TEST_CASE("sparsity: one constraint on all coordinates fills M_r, and that is said") {
  constexpr Index n = 31;
  Triplets all;
  for (Index j = 0; j < n; ++j) all.emplace_back(0, j, 1.0 + j);
  const SparsityReport report = measure_sparsity(system_of(identity(n), identity(n), matrix(1, n, all)));
  CHECK(report.M_r.entries == (n - 1) * (n - 1));
  CHECK(report.R_entries == 2 * (n - 1));
  CHECK(report.M_q.entries == n);
  CHECK(some_contains(report.advice, "Reduction fills M_r: 100 %"));
  CHECK(property(report, "degrades sparsity").mcs == "yes: L × 15");  // 30 · 31 / 2 entries against 31
  CHECK(property(report, "degrades sparsity").rcs == "no");
}

TEST_CASE("sparsity: dependent constraints and singular configurations are told") {
  const SparsityReport five_bar = measure_sparsity(system_of_case("five_bar_parallelogram"));
  CHECK(five_bar.rank == 11);
  CHECK(five_bar.rcs.size == 12 + 11);
  CHECK(some_contains(five_bar.advice, "Only 11 of the 12 constraints"));

  const SparsityReport flat =
      measure_sparsity(system_of_case("four_bar", {{"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}}));
  CHECK(flat.singular);
  CHECK(some_contains(flat.advice, "branches"));
}

TEST_CASE("sparsity: systems without constraints, without freedom and without coordinates have reports, too") {
  const SparsityReport free = measure_sparsity(system_of(identity(3), identity(3), SparseMatrix(0, 3)));
  CHECK(free.M_r.size == 3);
  CHECK(free.rcs.size == 3);
  CHECK(free.suits == "mcs");

  const SparsityReport held = measure_sparsity(system_of(identity(3), identity(3), identity(3)));
  CHECK(held.dof == 0);
  CHECK(held.M_r.size == 0);
  CHECK(held.M_r.fill() == 1);
  CHECK(held.suits.empty());
  CHECK(contains(held.advice.front(), "no degree of freedom"));
  CHECK(Json::parse(to_json(held))["suits"].is_null());

  CHECK(contains(to_text(measure_sparsity(system_of({}, {}, {}))), "0 coordinates"));
}

TEST_CASE("sparsity: a motion without mass makes M_r singular, and explicit integration is denied") {
  const SparseMatrix M = matrix(2, 2, {{0, 0, 1.0}});
  const SparsityReport report = measure_sparsity(system_of(M, identity(2), SparseMatrix(0, 2)));
  CHECK(report.M_r.regular == false);
  CHECK(some_contains(report.advice, "M_r is singular"));
  CHECK(property(report, "explicit integration").mcs == "no, M_r is singular");
}

TEST_CASE("sparsity: METIS is left out where it would take long, and that is noted" * doctest::skip(no_cholmod)) {
  const SparsityReport report =
      measure_sparsity(system_of_case("four_bar", {{"N", 20}}), {.memory = 1e9, .largest_metis = 10});
  CHECK(report.M_r.metis.is_known());
  CHECK(!report.rcs.metis.is_known());
  CHECK(contains(report.rcs.note, "METIS"));
  CHECK(Json::parse(to_json(report))["matrices"]["factorised"]["rcs"]["factor"]["metis"].is_null());
  CHECK(contains(to_text(report), "RCS, UCS: METIS was not used"));
}

TEST_CASE("sparsity: large systems are compared by what a factor at a shift takes" * doctest::skip(no_cholmod)) {
  const SparsityReport bar = measure_sparsity(system_of_case("four_bar", {{"N", 1000}}));
  CHECK(bar.suits == "mcs");
  CHECK(some_contains(bar.advice, "Order before factoring"));
  CHECK(bar.rcs.amd.entries < 40 * bar.rcs.size);  // a chain of loops: in proportion to them

  constexpr Index k = 600;
  const SparsityReport carriages = measure_sparsity(system_of_carriages(k));
  CHECK(carriages.suits == "rcs");
  CHECK(carriages.rcs.best().flops < carriages.mcs.best().flops);
}

TEST_CASE("sparsity: advice from figures: the cheaper exact method, and what UCS would save") {
  SparsityReport report;
  report.coordinates = 2000;
  report.rank = report.constraints = report.dof = 1000;
  const auto advised = [&](double mcs, double rcs, double ucs) {
    report.mcs.natural = {.entries = 1000, .flops = mcs};
    report.rcs.natural = {.entries = 1000, .flops = rcs};
    report.ucs.natural = {.entries = 1000, .flops = ucs};
    advise(report);
    return report.suits;
  };
  CHECK(advised(1e9, 1e6, 5e5) == "rcs");
  CHECK(some_contains(report.advice, "UCS would need 50 %"));
  CHECK(some_contains(report.advice, "2000 spurious"));
  CHECK(advised(1e5, 1e6, 5e5) == "mcs");
  CHECK(!some_contains(report.advice, "UCS would need"));
  report.mcs.predicted = true;
  CHECK(advised(1e5, 1e6, 1e6) == "rcs");
  CHECK(!some_contains(report.advice, "UCS would need"));
  report.dof = 0;
  CHECK(advised(0, 1e6, 1e6).empty());
}

TEST_CASE("sparsity: JSON has the keys that scripts rely on" * doctest::skip(no_cholmod)) {
  const Json json = Json::parse(to_json(measure_sparsity(system_of_case("four_bar", {{"N", 20}}))));
  CHECK(json["schema"] == "stillpoint.sparsity/1");
  for (const char* name : {"M_r", "M_q", "M_p"}) {
    CAPTURE(name);
    const Json& matrix = json["matrices"][name];
    CHECK(matrix["n"].is_number_integer());
    CHECK(matrix["nnz"].is_number_integer());
    CHECK(matrix["density"].is_number());
    CHECK(matrix["fill"].is_number());
    for (const char* order : {"natural", "amd", "metis"}) {
      CHECK(matrix["factor"][order]["nnz"].is_number_integer());
      CHECK(matrix["factor"][order]["flops"].is_number());
    }
  }
  for (const char* method : {"mcs", "rcs", "ucs"}) {
    CHECK(json["matrices"]["factorised"][method]["n"].is_number_integer());
    CHECK(json["matrices"]["factorised"][method]["eigenproblem_order"].is_number_integer());
  }
  CHECK(json["advice"].is_string());
  CHECK(json["suits"] == "mcs");
}

TEST_CASE("sparsity: no line of the text is longer than 100 characters") {
  for (const char* name : {"four_bar", "n_pendulum", "five_bar_parallelogram"}) {
    const std::string text = to_text(measure_sparsity(system_of_case(name), {.times = true}));
    CAPTURE(text);
    int columns = 0;
    for (const char c : text) {
      if (c == '\n') columns = 0;
      else columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      REQUIRE(columns <= 100);
    }
    CHECK(contains(text, "MCS suits this system"));
  }
}

// ----- pictures

TEST_CASE("spy: a small pattern is drawn entry by entry") {
  Random seeded(5);
  const SparseMatrix A = random_matrix(seeded, 40, 200);
  const Spy spy_of_A = spy(A);
  CHECK(spy_of_A.width == 1);
  CHECK(painted(drawn(spy_of_A), 40) == Flags(A.toDense().array() != 0));
  const PatternGraph graph = pattern_graph(symmetric_pattern(A));
  CHECK(painted(drawn(factor_of(A)), 40) == eliminated(A, find_elimination_tree(graph, natural_order(40)).node));
}

TEST_CASE("spy: the factor is drawn entry by entry, and each entry once") {
  Random seeded(2);
  for (int draw = 0; draw < 100; ++draw) {
    const Index size = 1 + seeded.below(30);
    const SparseMatrix A = random_matrix(seeded, size, seeded.below(4 * size));
    const PatternGraph graph = pattern_graph(symmetric_pattern(A));
    const EliminationTree tree = find_elimination_tree(graph, minimum_degree_order(graph));
    const Spy factor = spy_factor(graph, tree);
    const Flags expected = eliminated(A, tree.node);
    CHECK(factor.entries == count_of(expected).entries);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) REQUIRE((factor.shades[at(i) * at(size) + at(j)] > 0) == expected(i, j));
    }
  }
}

TEST_CASE("spy: a large pattern is drawn by cells, as dark as they are full") {
  constexpr Index n = 10'000;
  Triplets list;
  for (Index i = 0; i < n; ++i) list.emplace_back(i, i, 1.0);
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < 20; ++j) list.emplace_back(i, n - 20 + j, 1.0);
  }
  const Spy seen = spy(matrix(n, n, list));
  CHECK(seen.width == 20);
  CHECK(seen.cells() == 500);
  const auto shade = [&](Index i, Index j) { return int{seen.shades[at(i) * 500 + at(j)]}; };
  CHECK(shade(0, 499) == Spy::darkest);  // all of its 400
  CHECK(shade(3, 4) == 0);
  // 20 of 400 entries: half of the logarithm, 1 + 7/2 rounded up
  CHECK(shade(7, 7) == 5);
  CHECK(shaded(seen) == 501);
}

TEST_CASE("spy: a single entry among millions is seen, and a million rows make a small file") {
  constexpr Index n = 1'000'000;
  const Spy lonely = spy(matrix(n, n, {{n - 1, 0, 1.0}}));
  CHECK(lonely.cells() <= Spy::most_cells);
  CHECK(shaded(lonely) == 1);
  CHECK(int{lonely.shades[at(lonely.cells() - 1) * at(lonely.cells())]} == 1);

  Triplets band;
  for (Index i = 0; i < n; ++i) {
    band.emplace_back(i, i, 1.0);
    if (i + 3 < n) band.emplace_back(i, i + 3, 1.0);
  }
  const SparseMatrix A = matrix(n, n, band);
  CHECK(drawn(spy(A)).size() < 20'000);
  CHECK(drawn(factor_of(A)).size() < 20'000);
}

TEST_CASE("spy: the worst pattern makes a file of two megabytes, a full triangle one of some kilobytes") {
  constexpr Index n = Spy::most_cells;
  Spy noise{.size = n, .width = 1, .shades = std::vector<unsigned char>(at(n) * at(n))};
  Random seeded(6);
  for (unsigned char& shade : noise.shades) shade = static_cast<unsigned char>(seeded.below(Spy::darkest + 1));
  CHECK(drawn(noise).size() < 2'500'000);
  const Spy triangle = factor_of(arrow(n, 0));
  CHECK(shaded(triangle) == n * (n + 1) / 2);
  CHECK(drawn(triangle).size() < 10'000);
}

TEST_CASE("spy: pictures of every matrix are written, well formed, with names that XML would mind") {
  const ScratchFolder folder;
  LinearSystem system = system_of_case("four_bar", {{"N", 20}});
  system.name = "a < b & \"c\" > d\n";
  const SparsityReport report = measure_sparsity(system, {.memory = 1e9, .pictures = true});
  const std::vector<std::string> paths = write_spy(report, folder / "pictures/new");
  CHECK(paths.size() == 7);
  for (const std::string& path : paths) {
    CAPTURE(path);
    const std::string svg = content_of(path);
    CHECK(is_well_formed(svg));
    CHECK(contains(svg, "a &lt; b &amp; "));
    CHECK(svg.size() < 60'000);
  }
  // One entry is drawn as a small square, not as a full matrix.
  CHECK(contains(content_of(folder / "pictures/new/M_r.svg"), "width=\"24\" height=\"24\""));
  const std::string in_the_way = folder.write("file", "");
  CHECK_THROWS_AS(write_spy(report, in_the_way + "/pictures"), Error);
}

TEST_CASE("spy: a factor that is too large to walk over is not drawn, and that is written instead") {
  const ScratchFolder folder;
  const SparsityReport report =
      measure_sparsity(system_of_case("four_bar", {{"N", 20}}), {.memory = 1e9, .pictures = true, .largest_drawn = 50});
  CHECK(report.rcs.picture);
  CHECK(!report.rcs.factor_picture);
  CHECK(contains(report.rcs.note, "not drawn"));
  write_spy(report, folder / "pictures");
  CHECK(contains(content_of(folder / "pictures/rcs.svg"), "too many to draw"));
}

// ----- the verb

TEST_CASE("sparsity: the verb prints the report, or JSON, and nothing else") {
  const Answer text = run("sparsity " + case_folder("four_bar") + " --set N=20");
  CHECK(text.code == 0);
  CHECK(text.err == "");
  CHECK(contains(text.out, "four_bar: 43 coordinates, 42 constraints of rank 42, 1 degree of freedom\n"));
  CHECK(contains(text.out, "MCS suits this system"));
  const Answer json = run("sparsity " + case_folder("four_bar") + " --set N=20 --json");
  CHECK(Json::parse(json.out)["matrices"]["factorised"]["rcs"]["n"] == 85);
}

TEST_CASE("sparsity: the verb writes pictures and says where; a folder of matrices does as well as a model") {
  const ScratchFolder folder;
  const std::string matrices = folder / "matrices", pictures = folder / "pictures";
  write_linear_system(system_of_case("four_bar", {{"N", 20}}), matrices);
  const Answer answer = run("sparsity '" + matrices + "' --json --spy '" + pictures + "'");
  CHECK(answer.code == 0);
  CHECK(Json::parse(answer.out)["matrices"]["factorised"]["rcs"]["n"] == 85);
  CHECK(contains(answer.err, "wrote " + pictures + "/masses.svg\n"));
  CHECK(is_well_formed(content_of(pictures + "/masses.svg")));
  CHECK(run("sparsity '" + matrices + "' --quiet --spy '" + pictures + "'").err == "");
}

TEST_CASE("sparsity: the verb predicts what exceeds the memory given, and refuses none at all") {
  const Answer answer = run("sparsity " + case_folder("n_pendulum") + " --set N=300 --memory 1e-6 --json");
  CHECK(Json::parse(answer.out)["matrices"]["M_r"]["predicted"] == true);
  check_refused("sparsity " + case_folder("four_bar") + " --memory 0", "--memory");
}

TEST_CASE("sparsity: the verb measures times, and the METIS order needs CHOLMOD") {
  const std::string verb = "sparsity " + case_folder("four_bar");
  CHECK(contains(run(verb).out, "\ntimes "));
  if (no_cholmod) check_refused(verb + " --metis", "STILLPOINT_CHOLMOD=OFF");
  else CHECK(run(verb + " --metis").code == 0);
}

TEST_CASE("sparsity: the work tells its progress, and can be stopped there") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar", {{"N", 20}});
  const LinearSystem system = linearize(model, find_equilibrium(model));
  std::vector<std::string> told;
  measure_sparsity(
      system, {.pictures = true, .times = true, .progress = [&](const std::string& text) { told.push_back(text); }});
  for (const char* const matrix : {"M_r: ", "M_q: ", "M_p: ", "MCS: ", "RCS: ", "UCS: "})
    CHECK(std::any_of(told.begin(), told.end(), [&](const std::string& text) { return text.starts_with(matrix); }));
  testing::check_that_it_can_be_stopped(
      [&](const auto& listener) { measure_sparsity(system, {.times = true, .progress = listener}); });
}
