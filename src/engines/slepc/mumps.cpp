#include "engines/slepc/mumps.h"

namespace stillpoint::slepc {

namespace {

constexpr const char* factoring = "the matrix cannot be factored";

/// Of the norm of the matrix: smaller pivots are zero to rounding. MUMPS's own bar, 1e-21, notices none.
constexpr const char* zero_pivot = "1e-13";

/// The work space beyond MUMPS's estimate, in per cent. Pivots that have to wait for a later front need it, and one
/// matrix is like the next one.
PetscInt work_space = 40;

PetscInt infog(Mat factor, PetscInt which) {
  PetscInt value = 0;
  check(MatMumpsGetInfog(factor, which, &value), factoring);
  return value;
}

// Sizes beyond 2³¹ are given in millions, with a minus sign.
double large_infog(Mat factor, PetscInt which) {
  const PetscInt value = infog(factor, which);
  return value < 0 ? -1e6 * static_cast<double>(value) : static_cast<double>(value);
}

void require_success(Mat factor) {
  const PetscInt outcome = infog(factor, 1);
  if (outcome < 0)
    throw EngineFailure("MUMPS fails with INFOG(1) = " + std::to_string(outcome) + ", INFOG(2) = " +
                        std::to_string(infog(factor, 2)) + (outcome == -13 ? ": not enough memory" : ""));
}

Mat factor_of(ST transformation) {
  constexpr const char* doing = "the factorisation cannot be examined";
  KSP solver = nullptr;
  PC factorisation = nullptr;
  Mat factor = nullptr;
  check(STGetKSP(transformation, &solver), doing);
  check(KSPGetPC(solver, &factorisation), doing);
  check(PCFactorGetMatrix(factorisation, &factor), doing);
  return factor;
}

OwnedMatrix sum_of(const EngineTask& task, double a0, double a1, double a2) {
  OwnedMatrix sum;
  check(MatDuplicate(task.A[0].get(), MAT_COPY_VALUES, sum.out()), factoring);
  check(MatScale(sum.get(), a0), factoring);
  if (a1 != 0) check(MatAXPY(sum.get(), a1, task.A[1].get(), SUBSET_NONZERO_PATTERN), factoring);
  check(MatAXPY(sum.get(), a2, task.A[2].get(), SUBSET_NONZERO_PATTERN), factoring);
  check(MatSetOption(sum.get(), MAT_SYMMETRIC, PETSC_TRUE), factoring);
  if (is_complex_build) check(MatSetOption(sum.get(), MAT_HERMITIAN, PETSC_TRUE), factoring);
  return sum;
}

OwnedMatrix factor_of(const OwnedMatrix& sum) {
  OwnedMatrix factor;
  check(MatGetFactor(sum.get(), MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, factor.out()), factoring);
  check(MatMumpsSetIcntl(factor.get(), 13, 1), factoring);  // the root by MUMPS itself: ScaLAPACK gives no signs
  check(MatMumpsSetIcntl(factor.get(), 24, 1), factoring);  // pivots that are zero to rounding are counted
  check(MatMumpsSetIcntl(factor.get(), 14, work_space), factoring);
  MatFactorInfo info;
  check(MatFactorInfoInitialize(&info), factoring);
  OwnedIndexSet rows, columns;
  check(MatGetOrdering(sum.get(), MATORDERINGEXTERNAL, rows.out(), columns.out()), factoring);
  check(MatCholeskyFactorSymbolic(factor.get(), sum.get(), rows.get(), &info), factoring);
  check(MatCholeskyFactorNumeric(factor.get(), sum.get(), &info), factoring);
  return factor;
}

}  // namespace

SignsOfMatrix signs_of(const EngineTask& task, double a0, double a1, double a2) {
  const double start = MPI_Wtime();
  const OwnedMatrix sum = sum_of(task, a0, a1, a2);
  OwnedMatrix factor = factor_of(sum);
  while (takes_more_space(factor.get())) factor = factor_of(sum);
  require_success(factor.get());
  SignsOfMatrix signs{.a = {a0, a1, a2}};
  signs.negative = infog(factor.get(), 12);
  signs.zero = infog(factor.get(), 28);
  signs.entries = large_infog(factor.get(), 29);
  PetscReal flops = 0;
  check(MatMumpsGetRinfog(factor.get(), 3, &flops), factoring);
  signs.flops = flops;
  signs.megabytes_of_a_rank = large_infog(factor.get(), 21);
  signs.seconds = MPI_Wtime() - start;
  return signs;
}

void use_mumps(ST transformation, bool is_symmetric) {
  constexpr const char* doing = "MUMPS cannot be used";
  KSP solver = nullptr;
  PC factorisation = nullptr;
  check(STSetType(transformation, STSINVERT), doing);
  check(STSetMatStructure(transformation, SUBSET_NONZERO_PATTERN), doing);
  check(STGetKSP(transformation, &solver), doing);
  check(KSPSetType(solver, KSPPREONLY), doing);
  check(KSPGetPC(solver, &factorisation), doing);
  check(PCSetType(factorisation, is_symmetric ? PCCHOLESKY : PCLU), doing);
  check(PCFactorSetMatSolverType(factorisation, MATSOLVERMUMPS), doing);
  check(PetscOptionsSetValue(nullptr, "-st_mat_mumps_icntl_24", "1"), doing);  // the factor does not exist yet
  check(PetscOptionsSetValue(nullptr, "-st_mat_mumps_cntl_3", zero_pivot), doing);
  check(PetscOptionsSetValue(nullptr, "-st_mat_mumps_icntl_14", std::to_string(work_space).c_str()), doing);
}

bool takes_more_space(Mat factor) {
  constexpr PetscInt most = 10'000;
  const PetscInt outcome = infog(factor, 1);
  const bool is_too_small = outcome == -8 || outcome == -9;
  if (!is_too_small || work_space > most) return false;
  work_space *= 2;
  return true;
}

bool takes_more_space(ST transformation) { return takes_more_space(factor_of(transformation)); }

bool is_regular(ST transformation) {
  const Mat factor = factor_of(transformation);
  require_success(factor);
  return infog(factor, 28) == 0;
}

}  // namespace stillpoint::slepc
