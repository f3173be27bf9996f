// What a large model is measured against: one assembly of its matrices, and one sparse LU factorisation.
#pragma once

#include <klu.h>

#include "algebra/sparse/bordered.h"
#include "base/stopwatch.h"
#include "stillpoint/assembly.h"

namespace stillpoint {

struct Unit {
  double assembly, analysis, factorisation;
  double total() const { return assembly + analysis + factorisation; }
};

// One assembly, and KLU's analysis and factorisation of [[K + 1e-3, Jᵀ], [J, 0]].
inline Unit measure_unit(const Model& model, const State& state) {
  Assembly assembly(model);
  assembly.at(state);  // not the first touch of memory
  Stopwatch watch;
  const Matrices& at = assembly.at(state);
  Unit unit{watch.lap(), 0, 0};
  BorderedMatrix bordered(at.K, at.J);
  const Scaling scaling{Eigen::VectorXd::Ones(model.coordinates()), Eigen::VectorXd::Ones(model.constraints())};
  bordered.set(at.K, at.J, scaling, 1, {1e-3, 0});
  const SparseMatrix& A = bordered.matrix();
  klu_common common;
  klu_defaults(&common);
  auto* const columns = const_cast<int*>(A.outerIndexPtr());
  auto* const rows = const_cast<int*>(A.innerIndexPtr());
  watch.lap();
  klu_symbolic* symbolic = klu_analyze(static_cast<int>(A.cols()), columns, rows, &common);
  unit.analysis = watch.lap();
  klu_numeric* numeric = klu_factor(columns, rows, const_cast<double*>(A.valuePtr()), symbolic, &common);
  unit.factorisation = watch.lap();
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return unit;
}

}  // namespace stillpoint
