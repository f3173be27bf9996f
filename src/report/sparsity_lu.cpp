#include "report/sparsity_lu.h"

#include <klu.h>

namespace stillpoint {

FactorCount count_lu(SparseMatrix A) {
  if (A.cols() == 0) return {.entries = 0, .flops = 0};
  Index *const columns = A.outerIndexPtr(), *const rows = A.innerIndexPtr();
  FactorCount count;
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(static_cast<int>(A.cols()), columns, rows, &common);
  if (!symbolic) return count;
  klu_numeric* numeric = klu_factor(columns, rows, A.valuePtr(), symbolic, &common);
  if (numeric && common.status == KLU_OK && klu_flops(symbolic, numeric, &common)) {
    count.entries = std::int64_t{numeric->lnz} + numeric->unz + numeric->nzoff - A.cols();
    count.flops = common.flops;
  }
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return count;
}

}  // namespace stillpoint
