// Kernels written by hand beside those that libraries offer: sparse LDLᵀ factorisation, rank by sparse QR, Lanczos'
// method, TOAR, and singular values of small matrices. docs/kernels.md draws the conclusions.
//
//   ./dev bench kernels [--small] [--csv] [--rounds=N] [--limit=S] [ldlt] [rank] [lanczos] [toar] [svd]
//
// A candidate runs in a process of its own, which gives its peak memory and lets it be stopped after S seconds of the
// processor (60); the candidates take turns, N times (3, small: 1), and the table shows medians. A library that is not
// installed is left out. Where SPQR, CHOLMOD or UMFPACK is linked, the GPL covers the program, which is not installed.

#include <fmt/format.h>
#include <malloc.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseQR>
#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#if __has_include(<dmumps_c.h>) && !defined(STILLPOINT_WITHOUT_MUMPS)
#include <dmumps_c.h>
#define STILLPOINT_HAS_MUMPS
#endif
#if __has_include(<klu.h>) && !defined(STILLPOINT_WITHOUT_KLU)
#include <klu.h>
#define STILLPOINT_HAS_KLU
#endif
#if __has_include(<cholmod.h>) && !defined(STILLPOINT_WITHOUT_CHOLMOD)
#include <cholmod.h>
#define STILLPOINT_HAS_CHOLMOD
#endif
#if __has_include(<SuiteSparseQR.hpp>) && !defined(STILLPOINT_WITHOUT_SPQR)
#include <SuiteSparseQR.hpp>
#define STILLPOINT_HAS_SPQR
#endif
#if __has_include(<arpack/arpack.hpp>) && !defined(STILLPOINT_WITHOUT_ARPACK)
#include <arpack/arpack.hpp>
#define STILLPOINT_HAS_ARPACK
#endif
#if __has_include(<Spectra/SymGEigsShiftSolver.h>)
#include <Spectra/GenEigsSolver.h>
#include <Spectra/SymGEigsShiftSolver.h>
#define STILLPOINT_HAS_SPECTRA
#endif

#include "algebra/dense/dense_svd.h"
#include "algebra/dense/lapack.h"
#include "algebra/krylov/lanczos.h"
#include "algebra/krylov/toar.h"
#include "algebra/ordering/column_tree.h"
#include "algebra/rank/rank_rule.h"
#include "algebra/rank/sparse_qr.h"
#include "algebra/rank/split_columns.h"
#include "algebra/scaling/congruence_scaling.h"
#include "algebra/scaling/power_scaling.h"
#include "algebra/sparse/random_start.h"
#include "base/median.h"
#include "base/whole_program.h"
#include "modes/undamped/spectrum_slicing.h"
#include "stillpoint/detail/symmetric_factor.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/rank.h"
#include "support/algebra/random_linkage.h"

using namespace stillpoint;

namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

bool is_small = false, as_csv = false;
int rounds = 0;              // 0: as many as the size of the question asks for
unsigned most_seconds = 60;  // of the processor, for one candidate

/// Processor time of this process (s), which other processes on a busy machine change little.
class CpuWatch {
 public:
  double lap() {
    const double before = std::exchange(before_, now());
    return before_ - before;
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double before_ = now();
};

// ----- Tables and processes ------------------------------------------------------------------------------------------

class Table {
 public:
  Table(const std::string& title, std::vector<std::string> header) : columns_(header.size()) {
    fmt::print("\n{}{}\n", as_csv ? "# " : "", title);
    print(header);
  }
  void print(const std::vector<std::string>& cells) const {
    for (std::size_t k = 0; k < columns_; ++k) {
      const char* const quote = cells[k].find(',') != std::string::npos ? "\"" : "";
      if (as_csv) fmt::print("{}{}{}{}", k > 0 ? "," : "", quote, cells[k], quote);
      else fmt::print("{:{}}{}", cells[k], k > 1 ? 10 : 22, k + 1 < columns_ ? " " : "");
    }
    fmt::print("\n");
    std::fflush(stdout);
  }

 private:
  std::size_t columns_;
};

std::string seconds(double x) { return std::isnan(x) ? "" : fmt::format("{:.4f}", x); }
std::string count(double x) { return std::isnan(x) ? "" : fmt::format("{:.0f}", x); }
std::string tenth(double x) { return std::isnan(x) ? "" : fmt::format("{:.1f}", x); }
std::string error(double x) { return std::isnan(x) ? "" : fmt::format("{:.1e}", x); }

template <class Result>
struct Run {
  std::optional<Result> result;
  double peak_MB = unset;  ///< beyond what the process had before
  std::string end;         ///< why there is no result
};

double kilobytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key + ":")) return std::stod(line.substr(key.size() + 1));
  }
  return unset;
}

/// Result is trivially copyable.
template <class Result>
Run<Result> in_own_process(unsigned limit, const std::function<Result()>& work) {
  std::fflush(stdout);
  malloc_trim(0);
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const itimerval timer{{}, {static_cast<time_t>(limit), 0}};
    setitimer(ITIMER_PROF, &timer, nullptr);                      // not of the clock: the machine may be busy
    std::ofstream("/proc/self/clear_refs") << "5" << std::flush;  // the peak begins here
    const double before = kilobytes("VmRSS");
    bool is_sent = false;
    try {
      const Result result = work();
      const double peak = (kilobytes("VmHWM") - before) / 1024;
      is_sent = write(ends[1], &peak, sizeof peak) > 0 && write(ends[1], &result, sizeof result) > 0;
    } catch (const std::exception& problem) {
      fmt::print(stderr, "{}\n", problem.what());
    }
    _exit(is_sent ? 0 : 1);
  }
  close(ends[1]);
  Run<Result> run;
  Result result;
  if (read(ends[0], &run.peak_MB, sizeof run.peak_MB) == sizeof run.peak_MB &&
      read(ends[0], &result, sizeof result) == sizeof result) {
    run.result = result;
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!run.result) {
    run.peak_MB = unset;
    run.end = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? fmt::format("> {} s", limit) : "fails";
  }
  return run;
}

template <class Result>
struct Candidate {
  std::string name;
  std::function<Result()> work;
};

/// Prints a row for each candidate: the medians of what `numbers` takes from its results.
template <class Result>
void measure(const Table& table, const std::string& problem, const std::vector<Candidate<Result>>& candidates,
             const std::function<std::vector<std::string>(const std::function<double(double Result::*)>&)>& cells,
             std::size_t columns) {
  const int often = rounds > 0 ? rounds : is_small ? 1 : 3;
  std::vector<std::vector<Run<Result>>> runs(candidates.size());
  for (int round = 0; round < often; ++round) {
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (round > 0 && !runs[k][0].result) continue;
      runs[k].push_back(in_own_process<Result>(most_seconds, candidates[k].work));
    }
  }
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    std::vector<std::string> row{problem, candidates[k].name};
    const Run<Result>& first = runs[k][0];
    if (first.result) {
      std::vector<double> peaks;
      for (const Run<Result>& run : runs[k]) {
        if (run.result) peaks.push_back(run.peak_MB);
      }
      row.push_back(tenth(median(peaks)));
      for (std::string& cell : cells([&](double Result::*member) {
             std::vector<double> values;
             for (const Run<Result>& run : runs[k]) {
               if (run.result) values.push_back((*run.result).*member);
             }
             return std::isnan(values[0]) ? unset : median(values);
           })) {
        row.push_back(std::move(cell));
      }
    } else {
      row.push_back(first.end);
    }
    row.resize(columns);
    table.print(row);
  }
}

// ----- Mechanisms ----------------------------------------------------------------------------------------------------

using Entries = std::vector<Eigen::Triplet<double, Index>>;

struct Mechanism {
  std::string name;
  SparseMatrix M, C, K, J;
  Index rank = 0;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0; }
  Index below(Index end) { return static_cast<Index>(engine_() % static_cast<unsigned>(end)); }

 private:
  std::mt19937 engine_;
};

/// Points of the plane, rigid bodies with (x, y, φ), rods, springs and dampers between them.
class Assembler {
 public:
  explicit Assembler(unsigned seed) : random(seed) {}

  Index add_coordinates(Index count) { return std::exchange(n_, n_ + count); }

  /// Adds factor · (along direction d) between points a and b; b = −1 is the ground.
  static void add_along(Entries& to, Index a, Index b, const Eigen::Vector2d& d, double factor) {
    for (Index i = 0; i < 2; ++i) {
      for (Index j = 0; j < 2; ++j) {
        const double value = factor * d[i] * d[j];
        if (value == 0) continue;
        to.emplace_back(a + i, a + j, value);
        if (b < 0) continue;
        to.emplace_back(b + i, b + j, value);
        to.emplace_back(a + i, b + j, -value);
        to.emplace_back(b + i, a + j, -value);
      }
    }
  }
  static void add_isotropic(Entries& to, Index a, Index b, double factor) {
    add_along(to, a, b, {1, 0}, factor);
    add_along(to, a, b, {0, 1}, factor);
  }

  /// A rod in direction d, repeated in other units `copies` times.
  void add_rod(Index a, Index b, const Eigen::Vector2d& d, int copies, std::optional<double> lever = {}) {
    for (int copy = 0; copy <= copies; ++copy, ++rows_) {
      const double unit = copy == 0 ? 1 : random.between(0.3, 3);
      for (Index i = 0; i < 2; ++i) {
        J.emplace_back(rows_, a + i, unit * d[i]);
        if (b >= 0) J.emplace_back(rows_, b + i, -unit * d[i]);
      }
      if (lever) J.emplace_back(rows_, b + 2, -unit * *lever);
    }
    ++rank_;
  }

  Mechanism made(std::string name) const {
    Mechanism made{std::move(name), {}, {}, {}, {}, rank_};
    const auto fill = [&](SparseMatrix& A, Index rows, const Entries& entries) {
      A.resize(rows, n_);
      A.setFromTriplets(entries.begin(), entries.end());
    };
    Entries unit;
    for (Index i = 0; i < n_; ++i) unit.emplace_back(i, i, 1.0);
    fill(made.M, n_, unit);
    fill(made.C, n_, C);
    fill(made.K, n_, K);
    fill(made.J, rows_, J);
    return made;
  }

  Random random;
  Entries K, C, J;

 private:
  Index n_ = 0, rows_ = 0, rank_ = 0;
};

/// A catenary of N points between two anchors, all rods under tension. Every `redundant`th rod is there twice.
Mechanism chain(Index N, unsigned seed = 1, Index redundant = 0) {
  Assembler at(seed);
  for (Index i = 0; i < N; ++i) at.add_coordinates(2);
  for (Index i = 0; i <= N; ++i) {
    const double slope = 4.0 * (i + at.random.between(0, 0.5)) / N - 2, angle = std::atan(slope);
    const Eigen::Vector2d d(std::cos(angle), std::sin(angle));
    const Index a = 2 * std::min(i, N - 1), b = i == 0 || i == N ? -1 : 2 * (i - 1);
    at.add_rod(a, b, d, redundant > 0 && i % redundant == 0);
    at.add_isotropic(at.K, a, b, 1 / std::cos(angle));
    at.add_isotropic(at.C, a, b, 1e-3 * (1 + i % 7));
  }
  return at.made("chain");
}

/// side² points; every fifth edge is a rod, the others are springs that bear sideways too. With `braced`, all edges are
/// rods and some cells have both diagonals: one row of each is redundant.
Mechanism grid(Index side, unsigned seed = 1, bool is_braced = false) {
  Assembler at(seed);
  std::vector<Eigen::Vector2d> places;
  for (Index i = 0; i < side; ++i) {
    for (Index j = 0; j < side; ++j) {
      at.add_coordinates(2);
      places.emplace_back(i + at.random.between(-0.2, 0.2), j + at.random.between(-0.2, 0.2));
    }
  }
  Index edges = 0;
  const auto direction = [&](Index a, Index b) -> Eigen::Vector2d { return (places[a] - places[b]).normalized(); };
  const auto connect = [&](Index a, Index b) {
    const Eigen::Vector2d d = direction(a, b);
    if (is_braced || edges++ % 5 == 0) at.add_rod(2 * a, 2 * b, d, 0);
    at.add_along(at.K, 2 * a, 2 * b, d, 1);
    at.add_isotropic(at.K, 2 * a, 2 * b, 0.1);
    at.add_along(at.C, 2 * a, 2 * b, d, 1e-3 * at.random.between(0, 1));
  };
  for (Index i = 0; i < side; ++i) {
    at.add_isotropic(at.K, 2 * i, -1, 1);  // one edge of the grid is held by springs
    for (Index j = 0; j < side; ++j) {
      if (i + 1 < side) connect(i * side + j, (i + 1) * side + j);
      if (j + 1 < side) connect(i * side + j, i * side + j + 1);
    }
  }
  Index redundant = 0;
  for (Index i = 0; is_braced && i + 1 < side; i += 3, ++redundant) {
    const Index a = i * side + i, b = a + side;
    at.add_rod(2 * a, 2 * (b + 1), direction(a, b + 1), 0);
    at.add_rod(2 * (a + 1), 2 * b, direction(a + 1, b), 0);
  }
  Mechanism made = at.made("grid");
  made.rank -= redundant;
  return made;
}

/// Equal chains of `length` points, each on a rod to one body in the middle.
Mechanism arrow(Index legs, Index length, unsigned seed = 1, Index redundant = 0) {
  Assembler at(seed);
  const Index hub = at.add_coordinates(3);
  at.add_isotropic(at.K, hub, -1, 1);
  at.K.emplace_back(hub + 2, hub + 2, 1.0);
  for (Index leg = 0; leg < legs; ++leg) {
    const double angle = 2 * std::numbers::pi * leg / legs, tilt = angle + (length == 1 ? 0.7 : 0);
    const Eigen::Vector2d d(std::cos(tilt), std::sin(tilt)), arm(std::cos(angle), std::sin(angle));
    Index before = hub;
    for (Index k = 0; k < length; ++k) {
      const Index here = at.add_coordinates(2);
      const bool is_double = redundant > 0 && (leg * length + k) % redundant == 0;
      if (k == 0) at.add_rod(here, hub, d, is_double, arm[0] * d[1] - arm[1] * d[0]);
      else at.add_rod(here, before, d, is_double);
      at.add_isotropic(at.K, here, k == 0 ? -1 : before, 1);
      before = here;
    }
    at.add_isotropic(at.K, before, -1, 1);
  }
  return at.made("arrow");
}

/// A random linkage; its stiffness has an entry wherever a constraint force would put one.
Mechanism random_mechanism(int couplers, unsigned seed = 1, int redundant = 0, bool mixed_units = false) {
  Random random(seed);
  RandomLinkage linkages(seed);
  Linkage linkage = linkages.make({.couplers = couplers, .redundant = redundant, .mixed_units = mixed_units});
  Mechanism made{"random", {}, {}, {}, std::move(linkage.J), linkage.rank};
  const auto n = static_cast<Index>(made.J.cols());
  const SparseMatrix of_columns = made.J.transpose();
  Entries K, M;
  for (Index row = 0; row < of_columns.cols(); ++row) {
    for (SparseMatrix::InnerIterator a(of_columns, row); a; ++a) {
      for (SparseMatrix::InnerIterator b(of_columns, row); b && b.index() < a.index(); ++b) {
        const double value = random.between(-1, 1);
        K.emplace_back(a.index(), b.index(), value);
        K.emplace_back(b.index(), a.index(), value);
      }
    }
  }
  for (Index i = 0; i < n; ++i) K.emplace_back(i, i, random.between(0, 4));
  for (Index i = 0; i < n; ++i) M.emplace_back(i, i, random.between(0.3, 3));
  made.K.resize(n, n);
  made.K.setFromTriplets(K.begin(), K.end());
  made.M.resize(n, n);
  made.M.setFromTriplets(M.begin(), M.end());
  made.C.resize(n, n);
  return made;
}

/// A cube of side³ masses in space, each with one coordinate and springs to its neighbours; every seventh is tied to
/// two others. Such a body fills its factors, as finite elements of a solid do.
Mechanism cube(Index side) {
  Random random(1);
  const Index n = side * side * side, m = n / 7 - side * side;
  Entries K, M, J;
  const auto connect = [&](Index a, Index b) {
    for (const auto& [i, j, value] : {std::tuple(a, a, 1.0), {b, b, 1.0}, {a, b, -1.0}, {b, a, -1.0}})
      K.emplace_back(i, j, value);
  };
  for (Index k = 0; k < n; ++k) {
    M.emplace_back(k, k, 1.0);
    K.emplace_back(k, k, 0.1);
    if (k % side + 1 < side) connect(k, k + 1);
    if (k / side % side + 1 < side) connect(k, k + side);
    if (k / side / side + 1 < side) connect(k, k + side * side);
  }
  for (Index row = 0; row < m; ++row) {
    const double share = random.between(0, 1);
    J.emplace_back(row, 7 * row, 1 + share);
    J.emplace_back(row, 7 * row + 1, -1.0);
    J.emplace_back(row, 7 * row + side * side, -share);
  }
  Mechanism made{"cube", SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(m, n), m};
  made.M.setFromTriplets(M.begin(), M.end());
  made.K.setFromTriplets(K.begin(), K.end());
  made.J.setFromTriplets(J.begin(), J.end());
  return made;
}

/// [K − σM, Jᵀ; J, 0].
SparseMatrix bordered(const Mechanism& of, double sigma) {
  const auto n = static_cast<Index>(of.K.cols()), m = static_cast<Index>(of.J.rows());
  Entries entries;
  const SparseMatrix shifted = of.K - sigma * of.M;
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator at(shifted, j); at; ++at) entries.emplace_back(at.index(), j, at.value());
    for (SparseMatrix::InnerIterator at(of.J, j); at; ++at) {
      entries.emplace_back(n + at.index(), j, at.value());
      entries.emplace_back(j, n + at.index(), at.value());
    }
  }
  for (Index i = 0; i < m; ++i) entries.emplace_back(n + i, n + i, 0.0);
  SparseMatrix A(n + m, n + m);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// S A S with powers of two over six decades, which keeps the inertia without rounding.
SparseMatrix scaled_over_six_decades(const SparseMatrix& A, unsigned seed) {
  Random random(seed);
  Eigen::VectorXd scale(A.rows());
  for (double& s : scale) s = std::exp2(std::round(random.between(-10, 10)));
  return scale.asDiagonal() * A * scale.asDiagonal();
}

// ----- Dense singular value decompositions --------------------------------------------------------------------------

extern "C" {
void dgejsv_(const char* joba, const char* jobu, const char* jobv, const char* jobr, const char* jobt, const char* jobp,
             const int* m, const int* n, double* a, const int* lda, double* sva, double* u, const int* ldu, double* v,
             const int* ldv, double* work, const int* lwork, int* iwork, int* info);
void dgesvj_(const char* joba, const char* jobu, const char* jobv, const int* m, const int* n, double* a,
             const int* lda, double* sva, const int* mv, double* v, const int* ldv, double* work, const int* lwork,
             int* info);
void dgesvdq_(const char* joba, const char* jobp, const char* jobr, const char* jobu, const char* jobv, const int* m,
              const int* n, double* a, const int* lda, double* s, double* u, const int* ldu, double* v, const int* ldv,
              int* rank, int* iwork, const int* liwork, double* work, const int* lwork, double* rwork,
              const int* lrwork, int* info);
void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork, int* info);
}

using Dense = Eigen::MatrixXd;
using Svd = std::function<Eigen::VectorXd(const Dense& A, bool with_vectors)>;

Eigen::VectorXd svd_by_dgejsv(const Dense& given, bool with_vectors) {
  Dense A = given;
  const auto m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
  Eigen::VectorXd values(n), work(std::max({2 * m + n, 6 * n + 2 * n * n, 7, m + n * n + 4 * n}) + 64 * n);
  Dense U(with_vectors ? m : 1, with_vectors ? n : 1), V(with_vectors ? n : 1, with_vectors ? n : 1);
  const auto ldu = static_cast<int>(U.rows()), ldv = static_cast<int>(V.rows());
  std::vector<int> iwork(static_cast<std::size_t>(m + 3 * n + 4));
  const auto length = static_cast<int>(work.size());
  int info = 0;
  dgejsv_("F", with_vectors ? "U" : "N", with_vectors ? "V" : "N", "N", "N", "N", &m, &n, A.data(), &m, values.data(),
          U.data(), &ldu, V.data(), &ldv, work.data(), &length, iwork.data(), &info);
  if (info != 0) return Eigen::VectorXd::Constant(n, unset);
  return values * (work[0] / work[1]);
}

Eigen::VectorXd svd_by_dgesvj(const Dense& given, bool with_vectors) {
  Dense A = given;
  const auto m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols()), mv = 0;
  Eigen::VectorXd values(n), work(std::max(6, m + n));
  Dense V(with_vectors ? n : 1, with_vectors ? n : 1);
  const auto ldv = static_cast<int>(V.rows()), length = static_cast<int>(work.size());
  int info = 0;
  dgesvj_("G", with_vectors ? "U" : "N", with_vectors ? "V" : "N", &m, &n, A.data(), &m, values.data(), &mv, V.data(),
          &ldv, work.data(), &length, &info);
  if (info != 0) return Eigen::VectorXd::Constant(n, unset);
  return values * work[0];
}

Eigen::VectorXd svd_by_dgesvdq(const Dense& given, bool with_vectors) {
  Dense A = given;
  const auto m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
  Eigen::VectorXd values(n), work(8 * n * n + 64 * (m + n)), more(std::max(2, m));
  Dense U(with_vectors ? m : 1, with_vectors ? n : 1), V(with_vectors ? n : 1, with_vectors ? n : 1);
  const auto ldu = static_cast<int>(U.rows()), ldv = static_cast<int>(V.rows());
  const auto length = static_cast<int>(work.size()), more_length = static_cast<int>(more.size());
  std::vector<int> iwork(static_cast<std::size_t>(4 * n + 2 * m));
  const auto iwork_length = static_cast<int>(iwork.size());
  int rank = 0, info = 0;
  dgesvdq_("H", "P", "N", with_vectors ? "S" : "N", with_vectors ? "V" : "N", &m, &n, A.data(), &m, values.data(),
           U.data(), &ldu, V.data(), &ldv, &rank, iwork.data(), &iwork_length, work.data(), &length, more.data(),
           &more_length, &info);
  if (info != 0) return Eigen::VectorXd::Constant(n, unset);
  return values;
}

/// Rows in the order of descending largest entries, which makes QR with column pivoting stable row by row.
Eigen::VectorXd svd_by_ours_of_sorted_rows(const Dense& A, bool with_vectors) {
  const Eigen::VectorXd largest = A.cwiseAbs().rowwise().maxCoeff();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(A.rows()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return largest[a] > largest[b]; });
  return dense_svd(A(order, Eigen::all), with_vectors).values;
}

Eigen::VectorXd svd_by_dgesdd(const Dense& given, bool with_vectors) {
  Dense A = given;
  const auto m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
  Eigen::VectorXd values(n), work(4 * n * n + 7 * n + m + 64 * (m + n));
  Dense U(with_vectors ? m : 1, with_vectors ? n : 1), V(with_vectors ? n : 1, with_vectors ? n : 1);
  const auto ldu = static_cast<int>(U.rows()), ldv = static_cast<int>(V.rows());
  const auto length = static_cast<int>(work.size());
  std::vector<int> iwork(static_cast<std::size_t>(8 * n));
  int info = 0;
  dgesdd_(with_vectors ? "S" : "N", &m, &n, A.data(), &m, values.data(), U.data(), &ldu, V.data(), &ldv, work.data(),
          &length, iwork.data(), &info);
  return values;
}

Eigen::VectorXd svd_by_eigen(const Dense& A, bool with_vectors) {
  const unsigned vectors = with_vectors ? Eigen::ComputeThinU | Eigen::ComputeThinV : 0;
  return Eigen::JacobiSVD<Dense>(A, vectors).singularValues();
}

// ----- LDLᵀ ----------------------------------------------------------------------------------------------------------

struct Factored {
  double analyse = unset, factor = unset, solve = unset;  // s
  double entries = unset, delays = unset, negative = unset, zero = unset;
  double residual = unset;    // componentwise backward error [Skeel 1980]
  double is_unclear = unset;  // the candidate says itself that rounding may have changed the signs
};

double componentwise_error(const SparseMatrix& A, const Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  const Eigen::VectorXd whole = A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs(), r = b - A * x;
  double largest = 0;
  for (Index i = 0; i < r.size(); ++i) largest = std::fmax(largest, whole[i] > 0 ? std::abs(r[i]) / whole[i] : 0);
  return x.allFinite() ? largest : 1;
}

using Factoring = std::function<Factored(const SparseMatrix& A)>;

Eigen::VectorXd right_side(const SparseMatrix& A) { return A * random_start(static_cast<Index>(A.cols())); }

Factored factor_by_ours(const SparseMatrix& A) {
  const Eigen::VectorXd b = right_side(A);
  Factored run;
  CpuWatch watch;
  SymmetricFactor factor(A);
  run.analyse = watch.lap();
  factor.factor(A);
  watch.lap();
  factor.factor(A);
  run.factor = watch.lap();
  const Eigen::VectorXd x = factor.solve(b);
  run.solve = watch.lap();
  run.entries = static_cast<double>(factor.entries());
  run.delays = static_cast<double>(factor.delays());
  run.negative = factor.signs().negative;
  run.zero = factor.signs().zero;
  run.residual = componentwise_error(A, x, b);
  run.is_unclear = factor.has_clear_signs() ? 0 : 1;
  return run;
}

#ifdef STILLPOINT_HAS_MUMPS
enum class MumpsOrder { amd = 0, automatic = 7 };

Factored factor_by_mumps(const SparseMatrix& A, MumpsOrder order) {
  const Eigen::VectorXd b = right_side(A);
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator at(A, j); at; ++at) {
      if (at.index() < j) continue;
      rows.push_back(at.index() + 1);
      columns.push_back(j + 1);
      values.push_back(at.value());
    }
  }
  DMUMPS_STRUC_C mumps{};
  mumps.comm_fortran = -987654;
  mumps.par = 1;
  mumps.sym = 2;
  const auto call = [&](int job) {
    mumps.job = job;
    dmumps_c(&mumps);
    return mumps.infog[0];
  };
  call(-1);
  std::fill(mumps.icntl, mumps.icntl + 4, -1);
  mumps.icntl[3] = 0;
  mumps.icntl[6] = static_cast<int>(order);
  mumps.icntl[23] = 1;  // null pivots are detected
  mumps.n = static_cast<int>(A.rows());
  mumps.nnz = static_cast<MUMPS_INT8>(values.size());
  mumps.irn = rows.data();
  mumps.jcn = columns.data();
  mumps.a = values.data();
  Factored run;
  CpuWatch watch;
  if (call(1) < 0) return run;
  run.analyse = watch.lap();
  while (call(2) == -9 && mumps.icntl[13] < 2000) mumps.icntl[13] = 2 * mumps.icntl[13] + 20;  // more work space
  watch.lap();
  if (call(2) < 0) return run;
  run.factor = watch.lap();
  Eigen::VectorXd x = b;
  mumps.rhs = x.data();
  watch.lap();
  if (call(3) < 0) return run;
  run.solve = watch.lap();
  run.entries = mumps.infog[28] < 0 ? -1e6 * mumps.infog[28] : mumps.infog[28];
  run.delays = mumps.infog[12];
  run.negative = mumps.infog[11];
  run.zero = mumps.infog[27];
  run.residual = componentwise_error(A, x, b);
  call(-2);
  return run;
}
#endif

#ifdef STILLPOINT_HAS_KLU
Factored factor_by_klu(const SparseMatrix& A) {
  const Eigen::VectorXd b = right_side(A);
  auto* const columns = const_cast<int*>(A.outerIndexPtr());
  auto* const rows = const_cast<int*>(A.innerIndexPtr());
  auto* const values = const_cast<double*>(A.valuePtr());
  const auto size = static_cast<int>(A.rows());
  Factored run;
  klu_common common;
  klu_defaults(&common);
  CpuWatch watch;
  klu_symbolic* symbolic = klu_analyze(size, columns, rows, &common);
  run.analyse = watch.lap();
  klu_numeric* numeric = klu_factor(columns, rows, values, symbolic, &common);
  if (numeric != nullptr && common.status == KLU_OK) {
    klu_free_numeric(&numeric, &common);
    watch.lap();
    numeric = klu_factor(columns, rows, values, symbolic, &common);
    run.factor = watch.lap();
    Eigen::VectorXd x = b;
    watch.lap();
    klu_solve(symbolic, numeric, size, 1, x.data(), &common);
    run.solve = watch.lap();
    run.entries = numeric->lnz + numeric->unz;
    run.residual = componentwise_error(A, x, b);
  }
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return run;
}
#endif

Factored factor_by_eigen(const SparseMatrix& A) {
  const Eigen::VectorXd b = right_side(A);
  Factored run;
  CpuWatch watch;
  Eigen::SimplicialLDLT<SparseMatrix> factor;
  factor.analyzePattern(A);
  run.analyse = watch.lap();
  factor.factorize(A);
  watch.lap();
  factor.factorize(A);
  run.factor = watch.lap();
  if (factor.info() != Eigen::Success) return run;
  watch.lap();
  const Eigen::VectorXd x = factor.solve(b);
  run.solve = watch.lap();
  run.entries = static_cast<double>(factor.matrixL().nestedExpression().nonZeros() + A.rows());
  run.negative = static_cast<double>((factor.vectorD().array() < 0).count());
  run.zero = static_cast<double>((factor.vectorD().array() == 0).count());
  run.residual = componentwise_error(A, x, b);
  return run;
}

#ifdef STILLPOINT_HAS_CHOLMOD
/// Supernodal, for positive definite matrices.
Factored factor_by_cholmod(const SparseMatrix& A) {
  const Eigen::VectorXd b = right_side(A);
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  common.print = 0;
  cholmod_sparse view{};
  view.nrow = view.ncol = static_cast<std::size_t>(A.rows());
  view.nzmax = static_cast<std::size_t>(A.nonZeros());
  view.p = const_cast<int*>(A.outerIndexPtr());
  view.i = const_cast<int*>(A.innerIndexPtr());
  view.x = const_cast<double*>(A.valuePtr());
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.sorted = view.packed = 1;
  Factored run;
  CpuWatch watch;
  cholmod_factor* factor = cholmod_analyze(&view, &common);
  run.analyse = watch.lap();
  cholmod_factorize(&view, factor, &common);
  watch.lap();
  cholmod_factorize(&view, factor, &common);
  run.factor = watch.lap();
  if (common.status == CHOLMOD_OK) {
    cholmod_dense* right = cholmod_allocate_dense(view.nrow, 1, view.nrow, CHOLMOD_REAL, &common);
    std::copy(b.begin(), b.end(), static_cast<double*>(right->x));
    watch.lap();
    cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor, right, &common);
    run.solve = watch.lap();
    run.entries = static_cast<double>(factor->xsize);
    run.negative = run.zero = 0;
    run.residual = componentwise_error(A, Eigen::Map<Eigen::VectorXd>(static_cast<double*>(x->x), A.rows()), b);
    cholmod_free_dense(&right, &common);
    cholmod_free_dense(&x, &common);
  }
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
  return run;
}
#endif

struct NamedFactoring {
  std::string name;
  Factoring factor;
};

std::vector<NamedFactoring> factorings() {
  std::vector<NamedFactoring> all{{"ours", factor_by_ours}};
#ifdef STILLPOINT_HAS_MUMPS
  all.push_back({"MUMPS", [](const SparseMatrix& A) { return factor_by_mumps(A, MumpsOrder::automatic); }});
  all.push_back({"MUMPS, AMD", [](const SparseMatrix& A) { return factor_by_mumps(A, MumpsOrder::amd); }});
#endif
#ifdef STILLPOINT_HAS_KLU
  all.push_back({"KLU", factor_by_klu});
#endif
  all.push_back({"Eigen SimplicialLDLT", factor_by_eigen});
  return all;
}

void measure_factors(const Table& table, const std::string& name, const SparseMatrix& A,
                     const std::vector<NamedFactoring>& factorings, std::size_t columns) {
  std::vector<Candidate<Factored>> candidates;
  for (const NamedFactoring& by : factorings) candidates.push_back({by.name, [&A, by] { return by.factor(A); }});
  measure<Factored>(
      table, fmt::format("{} {}", name, A.rows()), candidates,
      [](const auto& of) {
        return std::vector<std::string>{seconds(of(&Factored::analyse)), seconds(of(&Factored::factor)),
                                        seconds(of(&Factored::solve)),   count(of(&Factored::entries)),
                                        count(of(&Factored::delays)),    count(of(&Factored::negative)),
                                        error(of(&Factored::residual))};
      },
      columns);
}

/// How often a factorisation of small matrices says the wrong number of negative eigenvalues.
struct Signs {
  double draws = 0, failed = 0, wrong = 0, unclear = 0, silent = 0, zeros_wrong = 0, delays = 0, residual = 0;
};

constexpr unsigned draws_of_signs = 200;

/// Reference: dense eigenvalues of the equilibrated matrix. Nothing if they are not clear.
std::optional<SignCount> dense_signs(const SparseMatrix& A) {
  const std::vector<double> equilibrating = congruence_scaling(A);
  const auto scale = Eigen::Map<const Eigen::VectorXd>(equilibrating.data(), A.rows()).asDiagonal();
  const Eigen::VectorXd values = symmetric_values(SparseMatrix(scale * A * scale).toDense());
  const double largest = values.cwiseAbs().maxCoeff();
  SignCount signs;
  for (const double value : values) {
    const double relative = std::abs(value) / largest;
    if (relative > 1e-13 && relative < 1e-9) return {};
    ++(relative <= 1e-13 ? signs.zero : value < 0 ? signs.negative : signs.positive);
  }
  return signs;
}

Signs signs_by(const Factoring& factor, const std::function<Mechanism(unsigned seed)>& draw, bool is_scaled) {
  Signs signs;
  for (unsigned seed = 1; seed <= draws_of_signs; ++seed) {
    const SparseMatrix A = bordered(draw(seed), 0.2 + 0.005 * seed);
    const std::optional<SignCount> truth = dense_signs(A);
    if (!truth) continue;
    ++signs.draws;
    const Factored run = factor(is_scaled ? scaled_over_six_decades(A, seed) : A);
    if (std::isnan(run.solve)) {
      ++signs.failed;
      continue;
    }
    const bool is_wrong = !std::isnan(run.negative) && run.negative != truth->negative;
    signs.wrong += is_wrong;
    signs.unclear += run.is_unclear == 1;
    signs.silent += is_wrong && run.is_unclear != 1;
    if (!std::isnan(run.zero)) signs.zeros_wrong += run.zero != truth->zero;
    if (!std::isnan(run.delays)) signs.delays += run.delays;
    signs.residual = std::max(signs.residual, run.residual);
  }
  return signs;
}

void compare_factors() {
  const std::vector<std::string> header{"matrix",  "by",      "peak MB", "analyse s", "factor s",
                                        "solve s", "entries", "delays",  "negative",  "residual"};
  const Table table("LDLT: bordered matrices [K - sigma M, J'; J, 0], sigma = 0.3", header);
  const Index many = is_small ? 2000 : 100'000, side = is_small ? 30 : 200;
  for (const Mechanism& of :
       {chain(many), grid(side), arrow(many, 1), random_mechanism(many / 3), cube(is_small ? 8 : 24)}) {
    measure_factors(table, of.name, bordered(of, 0.3), factorings(), header.size());
  }
  const Table definite("LDLT: K + M alone, positive definite", header);
  std::vector<NamedFactoring> of_definite = factorings();
#ifdef STILLPOINT_HAS_CHOLMOD
  of_definite.insert(of_definite.begin() + 1, {"CHOLMOD supernodal", factor_by_cholmod});
#endif
  for (const Mechanism& of : {chain(many), grid(side), arrow(many, 1)}) {
    const SparseMatrix A = of.K + of.M;
    measure_factors(definite, of.name, A, of_definite, header.size());
  }
  const std::vector<std::string> signs_header{"matrices", "by",     "draws",       "fails",  "wrong",
                                              "unclear",  "silent", "zeros wrong", "delays", "residual"};
  const Table signs("LDLT: negative eigenvalues of small bordered matrices. silent: wrong and not said to be unclear",
                    signs_header);
  for (const bool is_redundant : {false, true}) {
    const Index every = is_redundant ? 5 : 0;
    const std::vector<std::function<Mechanism(unsigned)>> families{
        [=](unsigned seed) { return chain(10 + seed % 40, seed, every); },
        [=](unsigned seed) { return grid(static_cast<Index>(4 + seed % 5), seed, is_redundant); },
        [=](unsigned seed) { return arrow(static_cast<Index>(5 + seed % 30), 1, seed, every); },
        [=](unsigned seed) { return random_mechanism(4 + seed % 20, seed, is_redundant ? 3 : 0); }};
    for (const bool is_scaled : {false, true}) {
      for (const auto& draw : families) {
        const std::string name =
            fmt::format("{}{}{}", draw(1).name, is_redundant ? " redundant" : "", is_scaled ? " scaled" : "");
        for (const NamedFactoring& by : factorings()) {
          const Run<Signs> run = in_own_process<Signs>(300, [&] { return signs_by(by.factor, draw, is_scaled); });
          std::vector<std::string> row{name, by.name};
          if (run.result) {
            const Signs& of = *run.result;
            for (const double x : {of.draws, of.failed}) row.push_back(count(x));
            for (const double x : {of.wrong, of.unclear, of.silent, of.zeros_wrong})
              row.push_back(by.name == "KLU" ? "" : count(x));
            row.push_back(count(of.delays));
            row.push_back(error(of.residual));
          } else {
            row.push_back(run.end);
          }
          row.resize(signs_header.size());
          signs.print(row);
        }
      }
    }
  }
}

// ----- Rank ----------------------------------------------------------------------------------------------------------

struct Ranked {
  double seconds = unset, rank = unset, entries = unset, gap = unset;
  double terms = unset, violation = unset;  // of the left null vectors: terms of one, and the largest residual
};

struct RankQuestion {
  SparseMatrix J, S;  // S: scaled by powers of two
  std::vector<int> exponents;
  double noise = 0;
};

RankQuestion question_of(const SparseMatrix& J, double noise = 0) {
  PowerScaled scaled = scale_by_powers_of_two(J, noise).front();
  return {J, std::move(scaled.S), std::move(scaled.rows), noise};
}

using Ranking = std::function<Ranked(const RankQuestion& of)>;

void add_null_vectors(Ranked& run, const SparseMatrix& S, const SparseMatrix& N) {
  if (N.cols() == 0) return;
  run.terms = static_cast<double>(N.nonZeros()) / static_cast<double>(N.cols());
  const SparseMatrix left = S.transpose() * N, whole = S.transpose().cwiseAbs() * N.cwiseAbs();
  double largest = 0;
  for (Index j = 0; j < N.cols(); ++j) {
    const double all = whole.col(j).toDense().maxCoeff();
    largest = std::fmax(largest, left.col(j).toDense().cwiseAbs().maxCoeff() / all);
  }
  run.violation = largest;
}

bool adds_null_vectors = false;

Ranked rank_by_ours(const RankQuestion& of, Index largest_dense) {
  Ranked run;
  CpuWatch watch;
  const RowDependence found = find_dependent_rows(of.J, {.noise = of.noise, .largest_dense = largest_dense});
  run.seconds = watch.lap();
  run.rank = found.rank.value;
  run.gap = found.rank.gap;
  if (!adds_null_vectors) return run;
  Eigen::VectorXd scale(of.J.rows());
  for (Index i = 0; i < scale.size(); ++i) scale[i] = std::ldexp(1.0, -of.exponents[i]);
  add_null_vectors(run, of.S, scale.asDiagonal() * found.null_vectors);
  return run;
}

/// The rule of the largest gap, applied to singular values or to the diagonal of R.
void decide_by_values(Ranked& run, std::vector<double> diagonal, const RankQuestion& of) {
  for (double& value : diagonal) value = std::abs(value);
  std::sort(diagonal.begin(), diagonal.end(), std::greater<>());
  diagonal.resize(static_cast<std::size_t>(std::min(of.S.rows(), of.S.cols())), 0);
  const double largest = diagonal[0];
  for (double& value : diagonal) value /= largest;
  const RankDecision decision = decide_rank(diagonal, static_cast<Index>(of.S.rows()), {.noise = of.noise});
  run.rank = decision.value;
  run.gap = decision.gap;
}

/// Our factorisation alone, without the search for the smallest singular value.
Ranked rank_by_our_diagonal(const RankQuestion& of) {
  Ranked run;
  CpuWatch watch;
  const SplitColumns split = split_columns(of.S);
  const SparseMatrix transposed = split.S.transpose();
  const SparseQr qr(split.S, transposed, fill_reducing_order(split.S, transposed), {});
  run.seconds = watch.lap();
  run.entries = static_cast<double>(qr.entries());
  const Index links = static_cast<Index>(split.S.rows()) - split.rows;
  std::vector<double> diagonal;
  for (Index k = 0; k < split.S.rows(); ++k) {
    if (qr.is_live(k)) diagonal.push_back(qr.diagonal(k));
  }
  if (links == 0) decide_by_values(run, std::move(diagonal), of);
  return run;
}

double tolerance_of_noise(const SparseMatrix& A, double noise) {
  double largest = 0;
  for (Index j = 0; j < A.cols(); ++j) largest = std::max(largest, A.col(j).norm());
  return 20 * static_cast<double>(A.rows() + A.cols()) * noise * largest;
}

#ifdef STILLPOINT_HAS_SPQR
enum class Decision { by_tolerance, by_gap };

Ranked rank_by_spqr(const RankQuestion& of, const SparseMatrix& J, Decision decision) {
  const Eigen::SparseMatrix<double, Eigen::ColMajor, SuiteSparse_long> A = J.transpose();
  cholmod_common common;
  cholmod_l_start(&common);
  cholmod_sparse view{};
  view.nrow = static_cast<std::size_t>(A.rows());
  view.ncol = static_cast<std::size_t>(A.cols());
  view.nzmax = static_cast<std::size_t>(A.nonZeros());
  view.p = const_cast<SuiteSparse_long*>(A.outerIndexPtr());
  view.i = const_cast<SuiteSparse_long*>(A.innerIndexPtr());
  view.x = const_cast<double*>(A.valuePtr());
  view.itype = CHOLMOD_LONG;
  view.xtype = CHOLMOD_REAL;
  view.sorted = view.packed = 1;
  const double given = of.noise > 0 ? tolerance_of_noise(J.transpose(), of.noise) : SPQR_DEFAULT_TOL;
  const double tolerance = decision == Decision::by_gap ? SPQR_NO_TOL : given;
  cholmod_sparse* R = nullptr;
  SuiteSparse_long* order = nullptr;
  Ranked run;
  CpuWatch watch;
  const SuiteSparse_long rank = SuiteSparseQR<double>(SPQR_ORDERING_DEFAULT, tolerance, 0, &view, &R, &order, &common);
  run.seconds = watch.lap();
  if (rank < 0) throw std::runtime_error("SPQR fails");
  run.rank = static_cast<double>(rank);
  const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::ColMajor, SuiteSparse_long>> in_R(
      static_cast<SuiteSparse_long>(R->nrow), static_cast<SuiteSparse_long>(R->ncol),
      static_cast<SuiteSparse_long*>(R->p)[R->ncol], static_cast<SuiteSparse_long*>(R->p),
      static_cast<SuiteSparse_long*>(R->i), static_cast<double*>(R->x));
  run.entries = static_cast<double>(in_R.nonZeros());
  if (decision == Decision::by_gap) {
    std::vector<double> diagonal;
    for (Eigen::Index j = 0; j < std::min(in_R.rows(), in_R.cols()); ++j) diagonal.push_back(in_R.coeff(j, j));
    decide_by_values(run, std::move(diagonal), of);
  } else if (adds_null_vectors && rank < in_R.cols()) {
    // R = [R11, R12] with the dependent columns last: null vectors are those of [-R11⁻¹ R12; I].
    const Eigen::MatrixXd whole(in_R);
    const Eigen::MatrixXd c = whole.topLeftCorner(rank, rank)
                                  .triangularView<Eigen::Upper>()
                                  .solve(whole.topRightCorner(rank, in_R.cols() - rank));
    Entries entries;
    for (Eigen::Index j = 0; j < c.cols(); ++j) {
      const auto column = static_cast<Index>(j);
      const auto row = [&](Eigen::Index k) { return static_cast<Index>(order != nullptr ? order[k] : k); };
      entries.emplace_back(row(rank + j), column, 1.0);
      for (Eigen::Index i = 0; i < c.rows(); ++i) {
        if (std::abs(c(i, j)) > 1e-12) entries.emplace_back(row(i), column, -c(i, j));
      }
    }
    SparseMatrix N(J.rows(), static_cast<Index>(c.cols()));
    N.setFromTriplets(entries.begin(), entries.end());
    add_null_vectors(run, J, N);
  }
  cholmod_l_free_sparse(&R, &common);
  if (order != nullptr) cholmod_l_free(view.ncol, sizeof(SuiteSparse_long), order, &common);
  cholmod_l_finish(&common);
  return run;
}
#endif

Ranked rank_by_eigen(const RankQuestion& of, bool by_gap) {
  const SparseMatrix A = of.S.transpose();
  Ranked run;
  CpuWatch watch;
  Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<Index>> qr;
  if (by_gap) qr.setPivotThreshold(0);
  else if (of.noise > 0) qr.setPivotThreshold(tolerance_of_noise(A, of.noise));
  qr.compute(A);
  run.seconds = watch.lap();
  run.rank = static_cast<double>(qr.rank());
  run.entries = static_cast<double>(qr.matrixR().nonZeros());
  if (by_gap) {
    std::vector<double> diagonal;
    for (Eigen::Index k = 0; k < qr.rank(); ++k) diagonal.push_back(qr.matrixR().coeff(k, k));
    decide_by_values(run, std::move(diagonal), of);
  }
  return run;
}

struct NamedRanking {
  std::string name;
  Ranking rank;
};

std::vector<NamedRanking> rankings(bool is_large) {
  std::vector<NamedRanking> all;
  if (!is_large) all.push_back({"ours, SVD", [](const RankQuestion& of) { return rank_by_ours(of, 10'000); }});
  if (!is_large) {
    const auto by_values = [](const Svd& svd) {
      return [svd](const RankQuestion& of) {
        const Dense S = of.S.rows() < of.S.cols() ? Dense(of.S.transpose()) : Dense(of.S);
        const Eigen::VectorXd values = svd(S, false);
        Ranked run;
        decide_by_values(run, {values.begin(), values.end()}, of);
        return run;
      };
    };
    all.push_back({"dgejsv, gap", by_values(svd_by_dgejsv)});
    all.push_back({"dgesvdq, gap", by_values(svd_by_dgesvdq)});
  }
  all.push_back({"ours, sparse QR", [](const RankQuestion& of) { return rank_by_ours(of, 0); }});
  all.push_back({"our QR, gap of R", rank_by_our_diagonal});
#ifdef STILLPOINT_HAS_SPQR
  const auto spqr = [](bool is_scaled, Decision by) {
    return [=](const RankQuestion& of) { return rank_by_spqr(of, is_scaled ? of.S : of.J, by); };
  };
  all.push_back({"SPQR, as it is", spqr(false, Decision::by_tolerance)});
  all.push_back({"SPQR, scaled", spqr(true, Decision::by_tolerance)});
  all.push_back({"SPQR, scaled, gap of R", spqr(true, Decision::by_gap)});
  if (is_large) {
    all.push_back({"SPQR, scaled and split", [](const RankQuestion& of) {
                     const SplitColumns split = split_columns(of.S);
                     Ranked run = rank_by_spqr(of, split.S, Decision::by_tolerance);
                     run.rank -= static_cast<double>(split.S.rows() - split.rows);
                     return run;
                   }});
  }
#endif
  all.push_back({"Eigen, scaled", [](const RankQuestion& of) { return rank_by_eigen(of, false); }});
  if (!is_large)
    all.push_back({"Eigen, scaled, gap of R", [](const RankQuestion& of) { return rank_by_eigen(of, true); }});
  return all;
}

struct Ranks {
  double draws = 0, wrong = 0, undecided = 0, wrong_and_silent = 0, terms = 0, violation = 0;
};

constexpr unsigned draws_of_ranks = 200;

Ranks ranks_by(const Ranking& rank, const std::function<Mechanism(unsigned seed)>& draw, double noise) {
  Ranks ranks;
  std::vector<double> terms;
  adds_null_vectors = true;
  for (unsigned seed = 1; seed <= draws_of_ranks; ++seed) {
    const Mechanism of = draw(seed);
    const Ranked run = rank(question_of(of.J, noise));
    if (std::isnan(run.rank)) continue;
    const bool is_wrong = run.rank != of.rank, is_undecided = run.gap < smallest_gap;
    ++ranks.draws;
    ranks.wrong += is_wrong;
    ranks.undecided += is_undecided;
    ranks.wrong_and_silent += is_wrong && !is_undecided;
    if (!std::isnan(run.terms)) terms.push_back(run.terms);
    if (!is_wrong && !std::isnan(run.violation)) ranks.violation = std::max(ranks.violation, run.violation);
  }
  ranks.terms = median(terms);
  if (std::isnan(ranks.terms)) ranks.violation = unset;
  return ranks;
}

/// Coordinates in m, mm, µm and km, and constraints in units of their own.
Mechanism in_mixed_units(Mechanism of, unsigned seed) {
  Random random(seed);
  const auto unit = [&] { return std::array{1.0, 1e-3, 1e-6, 1e3}[static_cast<std::size_t>(random.below(4))]; };
  Eigen::VectorXd rows(of.J.rows()), columns(of.J.cols());
  for (double& x : rows) x = unit();
  for (double& x : columns) x = unit();
  of.J = (rows.asDiagonal() * of.J * columns.asDiagonal()).eval();
  return of;
}

Mechanism rounded_linkage(unsigned seed, int digits) {
  Mechanism of = random_mechanism(3, seed);
  Linkage linkage =
      RandomLinkage(seed).make({.couplers = static_cast<int>(4 + seed % 12), .redundant = 3, .digits = digits});
  of.J = std::move(linkage.J);
  of.rank = linkage.rank;
  return of;
}

void compare_ranks() {
  const std::vector<std::string> header{"Jacobian", "by", "peak MB", "s", "rank", "of rank", "entries of R", "gap"};
  const Table table("Rank: large Jacobians with redundant rows, in mixed units", header);
  const Index many = is_small ? 2000 : 100'000, side = is_small ? 30 : 200;
  for (const Mechanism& of :
       {in_mixed_units(chain(many, 1, 10), 1), in_mixed_units(grid(side, 1, true), 1),
        in_mixed_units(arrow(many, 1, 1, 10), 1), random_mechanism(many / 3, 1, many / 10, true)}) {
    const RankQuestion question = question_of(of.J);
    std::vector<Candidate<Ranked>> candidates;
    for (const NamedRanking& by : rankings(true)) {
      candidates.push_back({by.name, [&question, by] { return by.rank(question); }});
    }
    measure<Ranked>(
        table, fmt::format("{} {} x {}", of.name, of.J.rows(), of.J.cols()), candidates,
        [&](const auto& of_run) {
          return std::vector<std::string>{seconds(of_run(&Ranked::seconds)), count(of_run(&Ranked::rank)),
                                          count(of.rank), count(of_run(&Ranked::entries)), error(of_run(&Ranked::gap))};
        },
        header.size());
  }

  struct Family {
    std::string name;
    std::function<Mechanism(unsigned)> draw;
    double noise = 0;
  };
  const std::vector<Family> families{
      {"linkage", [](unsigned seed) { return random_mechanism(4 + seed % 12, seed, 3); }},
      {"linkage, mixed units", [](unsigned seed) { return random_mechanism(4 + seed % 12, seed, 3, true); }},
      {"linkage, 8 digits", [](unsigned seed) { return rounded_linkage(seed, 8); }, 1e-8},
      {"linkage, 6 digits", [](unsigned seed) { return rounded_linkage(seed, 6); }, 1e-6},
      {"linkage, 5 digits", [](unsigned seed) { return rounded_linkage(seed, 5); }, 1e-5},
      {"chain, mixed units", [](unsigned seed) { return in_mixed_units(chain(10 + seed % 90, seed, 5), seed); }},
      {"grid, mixed units", [](unsigned seed) { return in_mixed_units(grid(4 + seed % 6, seed, true), seed); }},
      {"arrow, mixed units", [](unsigned seed) { return in_mixed_units(arrow(5 + seed % 90, 1, seed, 5), seed); }}};
  const std::vector<std::string> small_header{"Jacobians", "by",     "draws", "wrong",
                                              "undecided", "silent", "terms", "residual"};
  const Table small(
      "Rank: small Jacobians with redundant rows. silent: wrong and not undecided; terms of a null vector",
      small_header);
  for (const Family& family : families) {
    for (const NamedRanking& by : rankings(false)) {
      const Run<Ranks> run = in_own_process<Ranks>(300, [&] { return ranks_by(by.rank, family.draw, family.noise); });
      std::vector<std::string> row{family.name, by.name};
      if (run.result) {
        const Ranks& of = *run.result;
        for (const double x : {of.draws, of.wrong, of.undecided, of.wrong_and_silent}) row.push_back(count(x));
        row.push_back(tenth(of.terms));
        row.push_back(error(of.violation));
      } else {
        row.push_back(run.end);
      }
      row.resize(small_header.size());
      small.print(row);
    }
  }
}

// ----- Lanczos' method -----------------------------------------------------------------------------------------------

struct Searched {
  double seconds = unset, solves = unset, converged = unset, missed = unset, error = unset, residual = unset;
  double certified = unset;
};

/// Compares the found values with the lowest ones, copies included, and the residuals ‖A⁻¹Mx − θx‖ in the seminorm of
/// M.
void judge(Searched& run, const ConservativePencil& pencil, const std::vector<double>& lowest,
           const Eigen::VectorXd& mu, const Eigen::MatrixXd& x) {
  std::vector<char> is_taken(static_cast<std::size_t>(mu.size()), 0);
  run.converged = static_cast<double>(mu.size());
  run.missed = run.error = run.residual = 0;
  for (const double value : lowest) {
    Index best = -1;
    for (Index k = 0; k < mu.size(); ++k) {
      if (is_taken[k] != 0 || !(std::abs(mu[k] - value) <= 1e-6 * std::abs(value))) continue;
      if (best == -1 || std::abs(mu[k] - value) < std::abs(mu[best] - value)) best = k;
    }
    if (best == -1) {
      ++run.missed;
      continue;
    }
    is_taken[best] = 1;
    run.error = std::max(run.error, std::abs(mu[best] - value) / std::abs(value));
    const SparseMatrix& M = pencil.mass();
    const double theta = 1 / (mu[best] - pencil.at());
    const Eigen::VectorXd Mx = M * x.col(best), r = pencil.solve(Mx) - theta * x.col(best);
    const double length = x.col(best).dot(Mx);
    run.residual = std::max(run.residual, std::sqrt(std::abs(r.dot(M * r) / length)) / std::abs(theta));
  }
}

Searched search_by_ours(const ConservativePencil& pencil, const std::vector<double>& lowest, Index starts) {
  Searched run;
  CpuWatch watch;
  double solves = 0;
  const auto solve = [&](const Eigen::VectorXd& b) {
    ++solves;
    return pencil.solve(b);
  };
  const auto wanted = static_cast<Index>(lowest.size());
  Eigen::MatrixXd start(pencil.size(), starts);
  unsigned seed = 0;
  for (auto&& column : start.colwise()) column = solve(pencil.mass() * random_start(pencil.size(), ++seed));
  const Eigen::MatrixXd none(pencil.size(), 0);
  LanczosBasis basis(pencil.mass(),
                     {[&](const Eigen::VectorXd& Mx) { return solve(Mx); },
                      [&](const Eigen::VectorXd& z) { return pencil.project(z); }},
                     start, none, lanczos_capacity(wanted), pencil.dof());
  const double tolerance = vector_tolerance(pencil.size());
  RitzPairs pairs;
  for (int restart = 0; restart < 60; ++restart) {
    while (!basis.is_full() && !basis.is_complete()) {
      basis.grow();
      if (basis.size() < wanted || basis.size() % 5 != 0) continue;
      pairs = basis.ritz();
      if (pairs.converged(tolerance) >= wanted) break;
    }
    pairs = basis.ritz();
    if (pairs.converged(tolerance) >= wanted || basis.is_complete()) break;
    basis.restart(pairs, std::min(basis.size() - 1, wanted + (basis.size() - wanted) / 3));
  }
  std::vector<Index> which(static_cast<std::size_t>(std::min(wanted, pairs.converged(tolerance))));
  std::iota(which.begin(), which.end(), 0);
  const Eigen::MatrixXd x = basis.take_vectors(pairs, which);
  run.seconds = watch.lap();
  run.solves = solves;
  const Eigen::VectorXd theta = pairs.values.head(x.cols());
  judge(run, pencil, lowest, pencil.at() + theta.array().inverse(), x);
  return run;
}

Searched search_by_engine(ConservativePencil& pencil, const std::vector<double>& lowest, Index wanted, bool spectra) {
  Searched run;
  CpuWatch watch;
  const ConservativePairs found = find_lowest(pencil, wanted, {.spectra = spectra});
  run.seconds = watch.lap();
  pencil.shift(0);
  judge(run, pencil, lowest, found.mu, found.z);
  run.certified = found.is_certified();
  return run;
}

#ifdef STILLPOINT_HAS_SPECTRA
struct ShiftedInverse {
  using Scalar = double;
  const ConservativePencil& pencil;
  double& solves;
  Eigen::Index rows() const { return pencil.size(); }
  Eigen::Index cols() const { return pencil.size(); }
  void set_shift(double) {}
  void perform_op(const double* in, double* out) const {
    ++solves;
    Eigen::Map<Eigen::VectorXd>(out, rows()) = pencil.solve(Eigen::Map<const Eigen::VectorXd>(in, rows()));
  }
};

struct MassProduct {
  using Scalar = double;
  const SparseMatrix& M;
  Eigen::Index rows() const { return M.rows(); }
  Eigen::Index cols() const { return M.cols(); }
  void perform_op(const double* in, double* out) const {
    Eigen::Map<Eigen::VectorXd>(out, rows()) = M * Eigen::Map<const Eigen::VectorXd>(in, rows());
  }
};

Searched search_by_spectra(const ConservativePencil& pencil, const std::vector<double>& lowest, bool own_start) {
  Searched run;
  CpuWatch watch;
  double solves = 0;
  ShiftedInverse inverse{pencil, solves};
  MassProduct mass{pencil.mass()};
  const auto wanted = static_cast<Index>(lowest.size());
  Spectra::SymGEigsShiftSolver<ShiftedInverse, MassProduct, Spectra::GEigsMode::ShiftInvert> spectra(
      inverse, mass, wanted, lanczos_capacity(wanted), pencil.at());
  if (own_start) {
    ++solves;
    const Eigen::VectorXd start = pencil.solve(pencil.mass() * random_start(pencil.size()));
    spectra.init(start.data());
  } else {
    spectra.init();
  }
  spectra.compute(Spectra::SortRule::LargestMagn, 60, vector_tolerance(pencil.size()));
  const Eigen::VectorXd mu = spectra.eigenvalues();
  const Eigen::MatrixXd x = spectra.eigenvectors();
  run.seconds = watch.lap();
  run.solves = solves;
  judge(run, pencil, lowest, mu, x);
  return run;
}
#endif

LinearSystem system_of(const Mechanism& of) {
  LinearSystem system;
  system.M = of.M;
  system.C.resize(of.M.rows(), of.M.cols());
  system.K = of.K;
  system.J = of.J;
  return checked(std::move(system));
}

/// `count` equal mechanisms beside each other, without connection: each eigenvalue is there as often.
Mechanism copies(const Mechanism& one, Index count) {
  const auto repeated = [count](const SparseMatrix& A) {
    Entries entries;
    const auto rows = static_cast<Index>(A.rows()), columns = static_cast<Index>(A.cols());
    for (Index copy = 0; copy < count; ++copy) {
      for (Index j = 0; j < columns; ++j) {
        for (SparseMatrix::InnerIterator at(A, j); at; ++at) {
          entries.emplace_back(copy * rows + at.index(), copy * columns + j, at.value());
        }
      }
    }
    SparseMatrix all(count * rows, count * columns);
    all.setFromTriplets(entries.begin(), entries.end());
    return all;
  };
  return {one.name + " copies", repeated(one.M), repeated(one.C), repeated(one.K), repeated(one.J), count * one.rank};
}

/// Every second point has no mass.
Mechanism partly_massless(Mechanism of) {
  for (Index i = 0; i < of.M.cols(); i += 4) of.M.coeffRef(i, i) = of.M.coeffRef(i + 1, i + 1) = 0;
  of.M.prune(0.0);
  of.name += ", massless";
  return of;
}

void compare_lanczos() {
  const std::vector<std::string> header{"system",    "by",     "peak MB", "s",        "solves",
                                        "converged", "missed", "error",   "residual", "certified"};
  const Table table("Lanczos: the lowest modes at one shift; engines: all of spectrum slicing, with factorisations",
                    header);
  const Index many = is_small ? 1000 : 50'000, side = is_small ? 20 : 150, length = is_small ? 100 : 4000;
  struct Question {
    Mechanism of;
    Index wanted;
  };
  for (const auto& [of, wanted] :
       {Question{chain(many), 20}, Question{grid(side), 20}, Question{arrow(12, length), 24},
        Question{copies(chain(length), 12), 24}, Question{partly_massless(grid(side)), 20}}) {
    const LinearSystem system = system_of(of);
    const BorderedProblem problem(system);
    ConservativePencil pencil(problem);
    const ConservativePairs all = find_lowest(pencil, wanted);
    if (!all.is_certified()) fmt::print(stderr, "{}: not certified: {}\n", of.name, all.uncertainty);
    std::vector<double> lowest(all.mu.begin(), all.mu.end());
    std::sort(lowest.begin(), lowest.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    auto end = static_cast<std::size_t>(wanted);  // the copies of the last one belong to the question
    while (end < lowest.size() && std::abs(lowest[end] - lowest[end - 1]) < 1e-6 * std::abs(lowest[end])) ++end;
    lowest.resize(end);
    pencil.shift(0);
    std::vector<Candidate<Searched>> candidates{{"ours, 1 start", [&] { return search_by_ours(pencil, lowest, 1); }},
                                                {"ours, 4 starts", [&] { return search_by_ours(pencil, lowest, 4); }}};
#ifdef STILLPOINT_HAS_SPECTRA
    candidates.push_back({"Spectra, own start", [&] { return search_by_spectra(pencil, lowest, true); }});
    candidates.push_back({"Spectra, default start", [&] { return search_by_spectra(pencil, lowest, false); }});
#endif
    candidates.push_back({"engine sparse", [&] { return search_by_engine(pencil, lowest, wanted, false); }});
    candidates.push_back({"engine spectra", [&] { return search_by_engine(pencil, lowest, wanted, true); }});
    measure<Searched>(
        table, fmt::format("{} {}", of.name, of.K.rows()), candidates,
        [](const auto& of_run) {
          return std::vector<std::string>{seconds(of_run(&Searched::seconds)), count(of_run(&Searched::solves)),
                                          count(of_run(&Searched::converged)), count(of_run(&Searched::missed)),
                                          error(of_run(&Searched::error)),     error(of_run(&Searched::residual)),
                                          count(of_run(&Searched::certified))};
        },
        header.size());
  }
}

// ----- TOAR ----------------------------------------------------------------------------------------------------------

struct Quadratic {
  double seconds = unset, solves = unset, converged = unset;
  double backward_error = unset, error = unset;  // the largest
  double polished = unset;                       // backward error after one more product with the operator
};

/// θ² x = A (θ x) + B x with A = −K⁻¹C and B = −K⁻¹M on J x = 0; θ = 1/s.
class QuadraticOperator {
 public:
  explicit QuadraticOperator(const Mechanism& of) : of_(of), bordered_(bordered(of, 0)), factor_(bordered_) {
    factor_.factor(bordered_);
  }
  Index size() const { return static_cast<Index>(of_.K.cols()); }
  Index constraints() const { return static_cast<Index>(of_.J.rows()); }
  const Mechanism& of() const { return of_; }

  Eigen::VectorXd apply(const Eigen::VectorXd& v, const Eigen::VectorXd& w) const {
    ++solves;
    return solved(-(of_.C * v + of_.M * w));
  }
  Eigen::VectorXd project(const Eigen::VectorXd& x) const { return solved(of_.K * x); }
  double stray(const Eigen::VectorXd& x) const {
    const double whole = (of_.J.cwiseAbs() * x.cwiseAbs()).norm();
    return whole > 0 ? (of_.J * x).norm() / whole : 0;
  }
  SecondOrderStart<double> start() const {
    SecondOrderStart<double> start{random_start(size(), 1), random_start(size(), 2)};
    for (int k = 0; k < 2; ++k) {
      for (int l = 0; l < 2; ++l) start.w = std::exchange(start.v, apply(start.v, start.w));
      const double length = std::hypot(start.v.norm(), start.w.norm());
      start.rho = std::sqrt(length);  // two products amplify by θ²
      start.v /= length;
      start.w /= length;
    }
    return start;
  }
  /// Normwise backward error of (s, x) [Tisseur 2000], without the part of the residual that constraint forces bear.
  double backward_error(std::complex<double> s, const Eigen::VectorXcd& x) const {
    const double whole = std::norm(s) * of_.M.norm() + std::abs(s) * of_.C.norm() + of_.K.norm();
    return without_forces(residual(s, x)).norm() / (whole * x.norm());
  }
  /// The root nearest to s of xᵀ(s²M + sC + K)x = 0, whose error is the square of that of x.
  std::complex<double> rayleigh(std::complex<double> s, const Eigen::VectorXcd& x) const {
    const auto times = [&](const SparseMatrix& A) { return (x.transpose() * (A * x))(0); };
    const std::complex<double> m = times(of_.M), c = times(of_.C), k = times(of_.K);
    const std::complex<double> root = std::sqrt(c * c - 4.0 * m * k);
    const std::complex<double> one = (-c + root) / (2.0 * m), other = (-c - root) / (2.0 * m);
    return std::abs(one - s) < std::abs(other - s) ? one : other;
  }

  mutable double solves = 0;

 private:
  Eigen::VectorXd solved(const Eigen::VectorXd& b) const {
    Eigen::VectorXd both = Eigen::VectorXd::Zero(size() + constraints());
    both.head(size()) = b;
    return factor_.solve(both).head(size());
  }
  Eigen::VectorXcd residual(std::complex<double> s, const Eigen::VectorXcd& x) const {
    return s * s * (of_.M * x) + s * (of_.C * x) + of_.K * x;
  }
  /// The part orthogonal to the rows of J.
  Eigen::VectorXcd without_forces(const Eigen::VectorXcd& r) const {
    if (!projection_) {
      Mechanism identity = of_;
      identity.K.setIdentity();
      projection_.emplace(bordered(identity, 0));
      projection_->factor(bordered(identity, 0));
    }
    const auto part = [&](const Eigen::VectorXd& b) -> Eigen::VectorXd {
      Eigen::VectorXd both = Eigen::VectorXd::Zero(size() + constraints());
      both.head(size()) = b;
      return projection_->solve(both).head(size());
    };
    Eigen::VectorXcd result(r.size());
    result.real() = part(r.real());
    result.imag() = part(r.imag());
    return result;
  }

  const Mechanism& of_;
  SparseMatrix bordered_;
  SymmetricFactor factor_;
  mutable std::optional<SymmetricFactor> projection_;
};

constexpr Index wanted_pairs = 20, krylov_vectors = 100;
constexpr double krylov_tolerance = 1e-12;

void judge(Quadratic& run, const QuadraticOperator& in, std::complex<double> theta, const Eigen::VectorXcd& x) {
  const std::complex<double> s = 1.0 / theta;
  run.backward_error = std::fmax(run.backward_error, in.backward_error(s, x));
  run.error = std::fmax(run.error, std::abs(s - in.rayleigh(s, x)) / std::abs(s));
  const Eigen::VectorXcd v = theta * x;
  Eigen::VectorXcd image(x.size());
  image.real() = in.apply(v.real(), x.real());
  image.imag() = in.apply(v.imag(), x.imag());
  run.polished = std::fmax(run.polished, in.backward_error(s, image));
}

/// The larger half of u = (θ x / ρ, x), whose relative error is smaller.
Eigen::VectorXcd larger_half(const Eigen::VectorXcd& u, std::complex<double> theta, double rho) {
  return std::abs(theta) > rho ? u.head(u.size() / 2) : u.tail(u.size() / 2);
}

Quadratic quadratic_by_ours(const QuadraticOperator& in, bool projects) {
  Quadratic run;
  CpuWatch watch;
  SecondOrderKrylov<double> basis({[&](const Eigen::VectorXd& v, const Eigen::VectorXd& w) { return in.apply(v, w); },
                                   [&](const Eigen::VectorXd& x) { return in.project(x); },
                                   [&](const Eigen::VectorXd& x) { return projects ? in.stray(x) : 0; }},
                                  in.of().M, in.start(), krylov_vectors, 2 * (in.size() - in.constraints()));
  QuadraticRitz ritz;
  for (int restart = 0; restart < 100; ++restart) {
    while (!basis.is_full() && !basis.is_complete()) basis.grow();
    ritz = basis.ritz();
    const Index converged = ritz.converged(krylov_tolerance);
    if (converged >= 2 * wanted_pairs) break;
    const Index least = std::max(2 * wanted_pairs, converged);
    basis.restart(std::min(basis.size() - 2, least + (basis.size() - least) / 3));
  }
  const Index taken = std::min(2 * wanted_pairs, ritz.converged(krylov_tolerance));
  std::vector<Eigen::VectorXcd> x;
  for (Index k = 0; k < taken; ++k) x.push_back(basis.vector(ritz, k));
  run.seconds = watch.lap();
  run.solves = in.solves;
  run.converged = taken;
  for (Index k = 0; k < taken; ++k) judge(run, in, ritz.values[k], x[static_cast<std::size_t>(k)]);
  return run;
}

/// The linearisation: u = (θ x / ρ, x) → (A θx / ρ + B x / ρ, ρ · θx / ρ).
struct Linearisation {
  using Scalar = double;
  const QuadraticOperator& in;
  double rho;
  Eigen::Index rows() const { return 2 * in.size(); }
  Eigen::Index cols() const { return 2 * in.size(); }
  void perform_op(const double* from, double* to) const {
    const Eigen::Index n = in.size();
    const Eigen::Map<const Eigen::VectorXd> upper(from, n), lower(from + n, n);
    const Eigen::VectorXd x = rho * upper;
    Eigen::Map<Eigen::VectorXd>(to, n) = in.apply(x, lower) / rho;
    Eigen::Map<Eigen::VectorXd>(to + n, n) = x;
  }
};

Eigen::VectorXd start_of(const SecondOrderStart<double>& start) {
  Eigen::VectorXd u(2 * start.v.size());
  u << start.v / start.rho, start.w;
  return u;
}

#ifdef STILLPOINT_HAS_SPECTRA
Quadratic quadratic_by_spectra(const QuadraticOperator& in) {
  Quadratic run;
  CpuWatch watch;
  const SecondOrderStart<double> start = in.start();
  Linearisation linearisation{in, start.rho};
  Spectra::GenEigsSolver<Linearisation> spectra(linearisation, 2 * wanted_pairs, krylov_vectors);
  spectra.init(start_of(start).data());
  spectra.compute(Spectra::SortRule::LargestMagn, 100, krylov_tolerance);
  const Eigen::VectorXcd theta = spectra.eigenvalues();
  const Eigen::MatrixXcd u = spectra.eigenvectors();
  run.seconds = watch.lap();
  run.solves = in.solves;
  run.converged = static_cast<double>(theta.size());
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    judge(run, in, theta[k], larger_half(u.col(k), theta[k], start.rho));
  }
  return run;
}
#endif

#ifdef STILLPOINT_HAS_ARPACK
Quadratic quadratic_by_arpack(const QuadraticOperator& in) {
  Quadratic run;
  CpuWatch watch;
  const SecondOrderStart<double> start = in.start();
  const Linearisation linearisation{in, start.rho};
  const Index n = 2 * in.size(), values = 2 * wanted_pairs, ncv = krylov_vectors, work_length = 3 * ncv * (ncv + 2);
  Eigen::VectorXd residual = start_of(start), work(3 * n), more(work_length);
  Eigen::MatrixXd V(n, ncv);
  std::array<a_int, 11> parameters{1, 0, 100, 1, 0, 0, 1};
  std::array<a_int, 14> places{};
  a_int task = 0, info = 1;
  for (;;) {
    arpack::naupd(task, arpack::bmat::identity, n, arpack::which::largest_magnitude, values, krylov_tolerance,
                  residual.data(), ncv, V.data(), n, parameters.data(), places.data(), work.data(), more.data(),
                  work_length, info);
    if (task != 1 && task != -1) break;
    linearisation.perform_op(work.data() + places[0] - 1, work.data() + places[1] - 1);
  }
  std::vector<a_int> select(static_cast<std::size_t>(ncv), 1);
  Eigen::VectorXd real(values + 1), imaginary(values + 1), workev(3 * ncv);
  Eigen::MatrixXd Z(n, values + 1);
  arpack::neupd(1, arpack::howmny::ritz_vectors, select.data(), real.data(), imaginary.data(), Z.data(), n, 0, 0,
                workev.data(), arpack::bmat::identity, n, arpack::which::largest_magnitude, values, krylov_tolerance,
                residual.data(), ncv, V.data(), n, parameters.data(), places.data(), work.data(), more.data(),
                work_length, info);
  run.seconds = watch.lap();
  run.solves = in.solves;
  run.converged = parameters[4];
  for (Index k = 0; k + 1 < parameters[4]; ++k) {
    if (!(imaginary[k] > 0)) continue;  // one of each conjugate pair
    Eigen::VectorXcd u(n);
    u.real() = Z.col(k);
    u.imag() = Z.col(k + 1);
    const std::complex<double> theta(real[k], imaginary[k]);
    judge(run, in, theta, larger_half(u, theta, start.rho));
  }
  return run;
}
#endif

void compare_toar() {
  const std::vector<std::string> header{"system",    "by",       "peak MB",  "s",         "solves",
                                        "converged", "backward", "polished", "error of s"};
  const Table table("TOAR: 20 pairs nearest to zero of damped systems, 100 vectors, tolerance 1e-12", header);
  const Index many = is_small ? 1000 : 50'000, side = is_small ? 20 : 150;
  for (const Mechanism& of : {chain(many), grid(side)}) {
    const QuadraticOperator in(of);
    std::vector<Candidate<Quadratic>> candidates{{"ours", [&] { return quadratic_by_ours(in, true); }},
                                                 {"ours, no projection", [&] { return quadratic_by_ours(in, false); }}};
#ifdef STILLPOINT_HAS_SPECTRA
    candidates.push_back({"Spectra GenEigsSolver", [&] { return quadratic_by_spectra(in); }});
#endif
#ifdef STILLPOINT_HAS_ARPACK
    candidates.push_back({"ARPACK dnaupd", [&] { return quadratic_by_arpack(in); }});
#endif
    measure<Quadratic>(
        table, fmt::format("{} {}", of.name, of.K.rows()), candidates,
        [](const auto& of_run) {
          return std::vector<std::string>{
              seconds(of_run(&Quadratic::seconds)), count(of_run(&Quadratic::solves)),
              count(of_run(&Quadratic::converged)), error(of_run(&Quadratic::backward_error)),
              error(of_run(&Quadratic::polished)),  error(of_run(&Quadratic::error))};
        },
        header.size());
  }
}

// ----- Singular values -----------------------------------------------------------------------------------------------

/// One-sided Jacobi rotations in quadruple precision, whose absolute error of 1e-34 is small beside all values.
std::vector<double> exact_singular_values(const Dense& A) {
  using Quad = __float128;
  const Eigen::Index m = A.rows(), n = A.cols();
  std::vector<std::vector<Quad>> columns;
  for (Eigen::Index j = 0; j < n; ++j) columns.emplace_back(A.col(j).begin(), A.col(j).end());
  const auto dot = [m](const std::vector<Quad>& a, const std::vector<Quad>& b) {
    Quad sum = 0;
    for (Eigen::Index i = 0; i < m; ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto root = [](Quad x) {  // one step of Newton's method doubles the digits
    if (!(x > 0)) return Quad(0);
    const Quad guess = std::sqrt(static_cast<double>(x));
    return guess > 0 ? (guess + x / guess) / 2 : Quad(0);
  };
  for (bool rotated = true; rotated;) {
    rotated = false;
    std::sort(columns.begin(), columns.end(), [&](const auto& a, const auto& b) { return dot(a, a) > dot(b, b); });
    for (std::size_t p = 0; p < columns.size(); ++p) {
      for (std::size_t q = p + 1; q < columns.size(); ++q) {
        const Quad a = dot(columns[p], columns[p]), b = dot(columns[q], columns[q]), c = dot(columns[p], columns[q]);
        if (c * c <= 1e-44 * static_cast<double>(a) * static_cast<double>(b) || c == 0) continue;
        rotated = true;
        const Quad zeta = (b - a) / (2 * c), size = zeta < 0 ? -zeta : zeta;
        const Quad t = (zeta < 0 ? -1 : 1) / (size + root(1 + zeta * zeta));
        const Quad cosine = 1 / root(1 + t * t), sine = cosine * t;
        for (Eigen::Index i = 0; i < m; ++i) {
          const Quad x = columns[p][i], y = columns[q][i];
          columns[p][i] = cosine * x - sine * y;
          columns[q][i] = sine * x + cosine * y;
        }
      }
    }
  }
  std::vector<double> values;
  for (const auto& column : columns) values.push_back(static_cast<double>(root(dot(column, column))));
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

struct NamedSvd {
  std::string name;
  Svd svd;
};

const std::vector<NamedSvd> svds{
    {"ours", [](const Dense& A, bool with_vectors) { return dense_svd(A, with_vectors).values; }},
    {"ours, rows sorted", svd_by_ours_of_sorted_rows},
    {"dgejsv", svd_by_dgejsv},
    {"dgesvj", svd_by_dgesvj},
    {"dgesvdq", svd_by_dgesvdq},
    {"dgesdd", svd_by_dgesdd},
    {"Eigen JacobiSVD", svd_by_eigen}};

struct Decomposed {
  double milliseconds = unset, milliseconds_with_vectors = unset, error = 0, small_error = 0;
};

double milliseconds_of(const std::function<void()>& work) {
  std::vector<double> times;
  CpuWatch all, watch;
  for (double spent = 0; times.size() < 5 && spent < 20; spent += all.lap()) {
    watch.lap();
    int often = 0;
    double lap = 0;
    while (lap < 2e-3) {
      work();
      ++often;
      lap += watch.lap();
    }
    times.push_back(1e3 * lap / often);
  }
  return median(times);
}

/// D₁ B D₂ with B of independent random entries; the exponents of the diagonal matrices descend, or are shuffled.
Dense graded(Index n, double row_decades, double column_decades, bool is_shuffled, Random& random) {
  const auto exponents = [&](double decades) {
    Eigen::VectorXd d(n);
    for (Index k = 0; k < n; ++k) d[k] = std::exp2(std::round(-decades / std::log10(2.0) * k / std::max(n - 1, 1)));
    for (Index k = n - 1; is_shuffled && k > 0; --k) std::swap(d[k], d[random.below(k + 1)]);
    return d;
  };
  Dense B(n, n);
  for (double& x : B.reshaped()) x = random.between(-1, 1);
  const Eigen::VectorXd rows = exponents(row_decades), columns = exponents(column_decades);
  return rows.asDiagonal() * B * columns.asDiagonal();
}

Dense linkage_of_rows(Index n, unsigned seed) {
  for (int couplers = static_cast<int>(n) / 4 + 1;; ++couplers) {
    const Mechanism of = random_mechanism(couplers, seed, 0, true);
    if (of.J.rows() >= n) return of.J.transpose();
  }
}

void compare_svds() {
  const std::vector<std::string> header{"matrix", "by", "ms", "ms vectors", "error", "smallest"};
  const Table table("SVD: time of the values and of all; largest relative error of a value, and that of the smallest",
                    header);
  struct Family {
    std::string name;
    std::function<Dense(Index n, unsigned seed)> draw;
  };
  const auto drawn = [](double rows, double columns, bool is_shuffled) {
    return [=](Index n, unsigned seed) {
      Random random(seed);
      return graded(n, rows, columns, is_shuffled, random);
    };
  };
  const std::vector<Family> families{{"columns graded", drawn(0, 12, false)},
                                     {"rows graded", drawn(12, 0, false)},
                                     {"both, shuffled", drawn(6, 6, true)},
                                     {"linkage, mixed units", linkage_of_rows},
                                     {"linkage, scaled", [](Index n, unsigned seed) {
                                        const SparseMatrix J = linkage_of_rows(n, seed).sparseView();
                                        return Dense(scale_by_powers_of_two(J, 0).front().S);
                                      }}};
  for (const Index n : {10, 50, 200}) {
    const unsigned draws = n == 10 ? 50 : n == 50 && !is_small ? 10 : 1;
    if (is_small && n > 50) break;
    for (const Family& family : families) {
      std::vector<Dense> matrices;
      std::vector<std::vector<double>> exact;
      for (unsigned seed = 1; seed <= draws; ++seed) {
        matrices.push_back(family.draw(n, seed));
        exact.push_back(exact_singular_values(matrices.back()));
      }
      for (const NamedSvd& by : svds) {
        Decomposed of;
        for (std::size_t k = 0; k < matrices.size(); ++k) {
          const Eigen::VectorXd values = by.svd(matrices[k], false);
          for (Eigen::Index i = 0; i < values.size(); ++i) {
            const double truth = exact[k][static_cast<std::size_t>(i)], off = std::abs(values[i] - truth) / truth;
            of.error = std::max(of.error, std::isnan(off) ? 1 : off);
            if (i + 1 == values.size()) of.small_error = std::max(of.small_error, std::isnan(off) ? 1 : off);
          }
        }
        of.milliseconds = milliseconds_of([&] { by.svd(matrices[0], false); });
        of.milliseconds_with_vectors = milliseconds_of([&] { by.svd(matrices[0], true); });
        table.print({fmt::format("{} {}", family.name, n), by.name, seconds(of.milliseconds),
                     seconds(of.milliseconds_with_vectors), error(of.error), error(of.small_error)});
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  set_up_whole_program();
  std::vector<std::string> asked;
  for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
    if (argument == "--small") is_small = true;
    else if (argument == "--csv") as_csv = true;
    else if (argument.starts_with("--rounds=")) rounds = std::stoi(argument.substr(9));
    else if (argument.starts_with("--limit=")) most_seconds = static_cast<unsigned>(std::stoi(argument.substr(8)));
    else asked.push_back(argument);
  }
  const auto is_asked = [&](const char* name) {
    return asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end();
  };
  if (is_asked("svd")) compare_svds();
  if (is_asked("ldlt")) compare_factors();
  if (is_asked("rank")) compare_ranks();
  if (is_asked("lanczos")) compare_lanczos();
  if (is_asked("toar")) compare_toar();
}
