// Sizes of matrices and factors. The witnesses: elimination done on flags, closed forms, CHOLMOD's symbolic analysis,
// and for predicted sizes the matrices themselves.

#include "stillpoint/sparsity.h"

#include <cholmod.h>
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/at.h"
#include "report/sparsity_advice.h"
#include "report/sparsity_lu.h"
#include "report/sparsity_prediction.h"
#include "report/spy.h"
#include "seeded.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"
#include "tool.h"

using namespace stillpoint;
using Json = nlohmann::json;

namespace {

using Triplets = std::vector<Eigen::Triplet<double, Index>>;
using Flags = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>;

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

bool is_permutation_of_rows(std::vector<Index> order) {
  std::sort(order.begin(), order.end());
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (order[k] != static_cast<Index>(k)) return false;
  }
  return true;
}

/// By CHOLMOD, in a given order.
FactorCount count_by_cholmod(const SparseMatrix& A, std::vector<Index> order) {
  const SparseMatrix At = A.transpose();
  SparseMatrix upper =
      (SparseMatrix(A.cwiseAbs()) + SparseMatrix(At.cwiseAbs())).pruned(0, 0).triangularView<Eigen::Upper>();
  upper.makeCompressed();
  cholmod_common common;
  cholmod_start(&common);
  common.nmethods = 1;
  common.method[0].ordering = CHOLMOD_GIVEN;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_sparse view{};
  view.nrow = view.ncol = at(A.cols());
  view.nzmax = at(upper.nonZeros());
  view.p = upper.outerIndexPtr();
  view.i = upper.innerIndexPtr();
  view.stype = 1;  // the upper triangle is stored
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_PATTERN;
  view.sorted = view.packed = 1;
  cholmod_factor* factor = cholmod_analyze_p(&view, order.data(), nullptr, 0, &common);
  REQUIRE(factor != nullptr);
  const FactorCount count{.entries = static_cast<std::int64_t>(common.lnz), .flops = common.fl};
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
  return count;
}

struct NamedOrder {
  const char* name;
  std::vector<Index> order;
};

std::vector<NamedOrder> all_orders(const PatternGraph& graph) {
  return {{"natural", natural_order(graph)},
          {"AMD", minimum_degree_order(graph)},
          {"METIS", nested_dissection_order(graph)}};
}

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
  svg.pattern(0, 0, 100, spy);
  return svg.finish(100, 100, "test");
}

Spy factor_of(const SparseMatrix& A) {
  const PatternGraph graph = pattern_graph(A);
  return spy_factor(graph, find_elimination_tree(graph, natural_order(graph)));
}

std::int64_t shaded(const Spy& spy) {
  return std::count_if(spy.shades.begin(), spy.shades.end(), [](unsigned char shade) { return shade > 0; });
}

}  // namespace

// ----- counts

TEST_CASE("sparsity: the factor's count is that of an elimination on flags, in every order") {
  Random seeded(1);
  for (int draw = 0; draw < 300; ++draw) {
    const Index size = 1 + seeded.below(30);
    const SparseMatrix A = random_matrix(seeded, size, seeded.below(4 * size));
    const PatternGraph graph = pattern_graph(A);
    for (const NamedOrder& each : all_orders(graph)) {
      CAPTURE(each.name);
      REQUIRE(is_permutation_of_rows(each.order));
      check_same(count_factor(graph, each.order), count_of(eliminated(A, each.order)));
    }
  }
}

TEST_CASE("sparsity: walking over the factor's entries meets each of them once") {
  Random seeded(2);
  for (int draw = 0; draw < 100; ++draw) {
    const Index size = 1 + seeded.below(30);
    const SparseMatrix A = random_matrix(seeded, size, seeded.below(4 * size));
    const PatternGraph graph = pattern_graph(A);
    const EliminationTree tree = find_elimination_tree(graph, minimum_degree_order(graph));
    Flags L = Flags::Identity(size, size);
    for_factor_entries(graph, tree, [&](Index i, Index j) {
      REQUIRE(!L(i, j));
      L(i, j) = true;
    });
    CHECK(L == eliminated(A, tree.node));
  }
}

TEST_CASE("sparsity: counts are those of CHOLMOD's symbolic analysis") {
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
    const PatternGraph graph = pattern_graph(A);
    for (const NamedOrder& each : all_orders(graph)) {
      CAPTURE(each.name);
      check_same(count_factor(graph, each.order), count_by_cholmod(A, each.order));
    }
  }
}

TEST_CASE("sparsity: counts in closed form") {
  constexpr Index n = 100;
  const auto natural = [](const SparseMatrix& A) {
    const PatternGraph graph = pattern_graph(A);
    return count_factor(graph, natural_order(graph));
  };
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

  const PatternGraph hub_first = pattern_graph(arrow(n, 0));
  check_same(count_factor(hub_first, minimum_degree_order(hub_first)), natural(arrow(n, n - 1)));
}

TEST_CASE("sparsity: nested dissection of a grid stays within George's bound, which a band exceeds") {
  constexpr Index side = 256;
  const double n = side * side, bound = 31.0 / 4 * n * std::log2(n);  // George 1973, entries of L
  const PatternGraph graph = pattern_graph(grid(side));
  CHECK(static_cast<double>(count_factor(graph, nested_dissection_order(graph)).entries) < bound);
  CHECK(static_cast<double>(count_factor(graph, natural_order(graph)).entries) > bound);
}

TEST_CASE("sparsity: ordering leaves the graph as it was, and full or uncoupled ones are no difficulty") {
  const SparseMatrix full = Eigen::MatrixXd::Ones(30, 30).sparseView();
  for (const SparseMatrix& A : {full, SparseMatrix(30, 30), identity(1), SparseMatrix(0, 0)}) {
    const PatternGraph graph = pattern_graph(A), before = graph;
    for (const NamedOrder& each : all_orders(graph)) {
      CAPTURE(each.name);
      CHECK(is_permutation_of_rows(each.order));
      CHECK(each.order.size() == at(A.cols()));
    }
    CHECK(graph.starts == before.starts);
    CHECK(graph.neighbours == before.neighbours);
  }
}

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

TEST_CASE("sparsity: of thousands of freedoms a part is followed, and the size extrapolated") {
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
  CHECK(formed.M_r.natural.entries == report.M_r.natural.entries);
  CHECK(formed.M_r.natural.flops == report.M_r.natural.flops);
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
  CHECK(held.freedom == 0);
  CHECK(held.M_r.size == 0);
  CHECK(held.M_r.fill() == 1);
  CHECK(held.suits.empty());
  CHECK(contains(held.advice.front(), "nothing can move"));
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

TEST_CASE("sparsity: METIS is left out where it would take long, and that is noted") {
  const SparsityReport report =
      measure_sparsity(system_of_case("four_bar", {{"N", 20}}), {.memory = 1e9, .largest_metis = 10});
  CHECK(report.M_r.metis.is_known());
  CHECK(!report.rcs.metis.is_known());
  CHECK(contains(report.rcs.note, "METIS"));
  CHECK(Json::parse(to_json(report))["matrices"]["factorised"]["rcs"]["factor"]["metis"].is_null());
  CHECK(contains(to_text(report), "RCS, UCS: METIS takes long"));
}

TEST_CASE("sparsity: large systems are compared by what a factor at a shift takes") {
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
  report.rank = report.constraints = report.freedom = 1000;
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
  report.freedom = 0;
  CHECK(advised(0, 1e6, 1e6).empty());
}

TEST_CASE("sparsity: JSON has the keys that scripts rely on") {
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
    const std::string text = to_text(measure_sparsity(system_of_case(name)));
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
  const PatternGraph graph = pattern_graph(A);
  CHECK(painted(drawn(factor_of(A)), 40) == eliminated(A, find_elimination_tree(graph, natural_order(graph)).node));
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
