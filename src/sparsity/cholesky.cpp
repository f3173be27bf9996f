#include "sparsity/cholesky.h"

#ifdef STILLPOINT_CHOLMOD

#include <cholmod.h>
#include <fmt/format.h>

#include <memory>

#include "base/at.h"
#include "sparsity/median_time.h"
#include "stillpoint/error.h"

namespace stillpoint {

static_assert(sizeof(int) == sizeof(Index), "the functions cholmod_*, unlike cholmod_l_*, take indices of this size");

namespace {

// Factorisations with more operations than these take more than about a second, and are not timed.
constexpr double most_simplicial_flops = 1e9, most_supernodal_flops = 1e10;

constexpr double bytes_per_number = 8, bytes_per_index = 4;

/// The settings, the results and the workspace of CHOLMOD.
class Workspace {
 public:
  explicit Workspace(int order) {
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.method[0].ordering = order;
    common.postorder = 1;  // true
    common.supernodal = CHOLMOD_SIMPLICIAL;
    common.final_ll = 1;                    // L Lᵀ in the simplicial form, too, where L D Lᵀ is usual
    common.quick_return_if_not_posdef = 1;  // true
  }
  ~Workspace() { cholmod_finish(&common); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  cholmod_common common{};
};

struct FreeFactor {
  cholmod_common* common;
  void operator()(cholmod_factor* factor) const { cholmod_free_factor(&factor, common); }
};
using Factor = std::unique_ptr<cholmod_factor, FreeFactor>;

int constant_of(CholeskyOrder order) {
  switch (order) {
    case CholeskyOrder::natural:
      return CHOLMOD_NATURAL;
    case CholeskyOrder::amd:
      return CHOLMOD_AMD;
    case CholeskyOrder::metis:
      return CHOLMOD_METIS;
  }
  return CHOLMOD_NATURAL;
}

/// The upper triangle of a symmetric matrix, as CHOLMOD sees it.
class UpperTriangle {
 public:
  explicit UpperTriangle(const SparseMatrix& A) : upper_(A.triangularView<Eigen::Upper>()) {
    upper_.makeCompressed();
    view_.nrow = view_.ncol = at(upper_.cols());
    view_.nzmax = at(upper_.nonZeros());
    view_.p = upper_.outerIndexPtr();
    view_.i = upper_.innerIndexPtr();
    view_.x = upper_.valuePtr();
    view_.stype = 1;  // the upper triangle is stored
    view_.itype = CHOLMOD_INT;
    view_.xtype = CHOLMOD_REAL;
    view_.dtype = CHOLMOD_DOUBLE;
    view_.sorted = view_.packed = 1;
  }

  cholmod_sparse* view() { return &view_; }

 private:
  SparseMatrix upper_;
  cholmod_sparse view_{};
};

/// Throws if the last call failed. Numbers beyond 32 bits and a matrix that is not positive definite are no failures.
void require_success(const cholmod_common& common, Index size) {
  if (common.status >= CHOLMOD_OK || common.status == CHOLMOD_TOO_LARGE) return;
  throw Error(fmt::format(
      "CHOLMOD cannot factor a matrix of {0} × {0}: {1}", size,
      common.status == CHOLMOD_OUT_OF_MEMORY ? "memory has run out" : fmt::format("its status is {}", common.status)));
}

/// Returns the time of a factorisation, or NaN if the matrix is not positive definite.
double time_factorisation(UpperTriangle& A, cholmod_factor* factor, cholmod_common& common) {
  return median_time([&] {
    cholmod_factorize(A.view(), factor, &common);
    require_success(common, static_cast<Index>(factor->n));
    return common.status == CHOLMOD_OK;
  });
}

double time_simplicial(UpperTriangle& A, cholmod_factor* factor, const FactorCount& count, double memory,
                       cholmod_common& common) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (count.flops > most_simplicial_flops || count.bytes() > memory) return unknown;
  return time_factorisation(A, factor, common);
}

/// Groups the columns of L into supernodes, in the same order of elimination, and factors.
FactorCount::Supernodal measure_supernodal(UpperTriangle& pattern, UpperTriangle& A, cholmod_factor* same_order,
                                           const FactorCount& count, double memory, cholmod_common& common) {
  if (count.flops > most_supernodal_flops || count.bytes() > memory) return {};
  common.supernodal = CHOLMOD_SUPERNODAL;
  common.method[0].ordering = CHOLMOD_GIVEN;
  const Factor factor(cholmod_analyze_p(pattern.view(), static_cast<int*>(same_order->Perm), nullptr, 0, &common),
                      {&common});
  require_success(common, static_cast<Index>(same_order->n));
  if (!factor) return {};
  const double numbers = static_cast<double>(factor->xsize), indices = static_cast<double>(factor->ssize);
  if (bytes_per_number * numbers + bytes_per_index * indices > memory) return {};
  return {static_cast<std::int64_t>(factor->xsize), time_factorisation(A, factor.get(), common)};
}

}  // namespace

std::string cholesky_library() {
  int version[3] = {};
  cholmod_version(version);
  return fmt::format("CHOLMOD {}.{}.{}", version[0], version[1], version[2]);
}

FactorCount measure_cholesky(const SparseMatrix& pattern, CholeskyOrder order, const TimedCholesky& timed) {
  if (pattern.cols() == 0) return {.entries = 0, .flops = 0};
  Workspace workspace(constant_of(order));
  cholmod_common& common = workspace.common;
  UpperTriangle upper(pattern);
  const Factor factor(cholmod_analyze(upper.view(), &common), {&common});
  require_success(common, static_cast<Index>(pattern.cols()));
  if (!factor) return {};

  FactorCount count{.entries = static_cast<std::int64_t>(common.lnz), .flops = common.fl};
  if (!timed.matrix) return count;
  UpperTriangle A(*timed.matrix);
  count.seconds = time_simplicial(A, factor.get(), count, timed.memory, common);
  count.supernodal = measure_supernodal(upper, A, factor.get(), count, timed.memory, common);
  return count;
}

}  // namespace stillpoint

#else

namespace stillpoint {

std::string cholesky_library() { return ""; }

FactorCount measure_cholesky(const SparseMatrix&, CholeskyOrder, const TimedCholesky&) { return {}; }

}  // namespace stillpoint

#endif
