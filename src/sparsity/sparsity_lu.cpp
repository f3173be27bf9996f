#include "sparsity/sparsity_lu.h"

#include <klu.h>

#include <memory>

#include "sparsity/median_time.h"

namespace stillpoint {

namespace {

struct FreeSymbolic {
  klu_common* common;
  void operator()(klu_symbolic* symbolic) const { klu_free_symbolic(&symbolic, common); }
};

struct FreeNumeric {
  klu_common* common;
  void operator()(klu_numeric* numeric) const { klu_free_numeric(&numeric, common); }
};

}  // namespace

FactorCount count_lu(SparseMatrix A, bool timed) {
  if (A.cols() == 0) return {.entries = 0, .flops = 0};
  Index *const columns = A.outerIndexPtr(), *const rows = A.innerIndexPtr();
  klu_common common;
  klu_defaults(&common);
  const std::unique_ptr<klu_symbolic, FreeSymbolic> symbolic(
      klu_analyze(static_cast<int>(A.cols()), columns, rows, &common), {&common});
  if (!symbolic) return {};
  std::unique_ptr<klu_numeric, FreeNumeric> numeric(nullptr, {&common});
  const auto factor = [&] {
    numeric.reset();
    numeric.reset(klu_factor(columns, rows, A.valuePtr(), symbolic.get(), &common));
    return numeric && common.status == KLU_OK;
  };
  FactorCount count;
  if (timed) count.seconds = median_time(factor);
  else factor();
  if (!numeric || common.status != KLU_OK || !klu_flops(symbolic.get(), numeric.get(), &common)) return count;
  count.entries = std::int64_t{numeric->lnz} + numeric->unz + numeric->nzoff - A.cols();
  count.flops = common.flops;
  return count;
}

}  // namespace stillpoint
