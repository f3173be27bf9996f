#include "algebra/dense/schur.h"

#include <cmath>

#include "algebra/dense/lapack_outcome.h"

extern "C" {
void dgees_(const char* vectors, const char* sort, const void* select, const int* n, double* A, const int* lda,
            int* selected, double* real, double* imaginary, double* Q, const int* ldq, double* work, const int* lwork,
            int* bwork, int* info);
void dtrexc_(const char* vectors, const int* n, double* T, const int* ldt, double* Q, const int* ldq, int* from,
             int* to, double* work, int* info);
void dtrsyl_(const char* transA, const char* transB, const int* sign, const int* m, const int* n, const double* A,
             const int* lda, const double* B, const int* ldb, double* C, const int* ldc, double* scale, int* info);
void dgebal_(const char* job, const int* n, double* A, const int* lda, int* low, int* high, double* scale, int* info);
}

namespace stillpoint {

// LAPACK standardises the block of a conjugate pair to [a b; c a] with b c < 0, whose eigenvalues are a ± i√(−b c).
std::complex<double> SchurForm::value(Eigen::Index row) const {
  if (block_size(row) == 1) return T(row, row);
  return {T(row, row), std::sqrt(std::abs(T(row, row + 1))) * std::sqrt(std::abs(T(row + 1, row)))};
}

SchurForm schur_form(Eigen::MatrixXd A) {
  const int n = static_cast<int>(A.rows());
  SchurForm form{Eigen::MatrixXd(n, n), {}};
  if (n == 0) return form;
  Eigen::VectorXd real(n), imaginary(n);
  int selected = 0, info = 0, size = -1;
  double best = 0;
  const auto run = [&](double* work) {
    dgees_("V", "N", nullptr, &n, A.data(), &n, &selected, real.data(), imaginary.data(), form.Q.data(), &n, work,
           &size, nullptr, &info);
  };
  require_finite_input("dgees", A);
  run(&best);
  size = static_cast<int>(best);
  std::vector<double> work(static_cast<std::size_t>(size));
  run(work.data());
  require_success(info, "dgees", n);
  require_finite_result("dgees", A, form.Q);
  form.T = std::move(A);
  return form;
}

bool move_block(SchurForm& form, Eigen::Index from, Eigen::Index to) {
  const int n = static_cast<int>(form.order());
  int first = static_cast<int>(from) + 1, last = static_cast<int>(to) + 1, info = 0;
  std::vector<double> work(static_cast<std::size_t>(n));
  dtrexc_("V", &n, form.T.data(), &n, form.Q.data(), &n, &first, &last, work.data(), &info);
  return info == 0;
}

std::optional<Eigen::MatrixXd> solve_sylvester(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                               const Eigen::MatrixXd& C) {
  const int m = static_cast<int>(A.rows()), n = static_cast<int>(B.rows()), sign = -1;
  Eigen::MatrixXd X = C;
  if (m == 0 || n == 0) return X;
  require_finite_input("dtrsyl", A, B, C);
  double scale = 1;
  int info = 0;
  dtrsyl_("N", "N", &sign, &m, &n, A.data(), &m, B.data(), &n, X.data(), &m, &scale, &info);
  if (info != 0 || scale != 1) return std::nullopt;
  return X;
}

Eigen::VectorXd balancing_scales(Eigen::MatrixXd A) {
  const int n = static_cast<int>(A.rows());
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(n);
  if (n == 0) return scales;
  require_finite_input("dgebal", A);
  int low = 0, high = 0, info = 0;
  dgebal_("S", &n, A.data(), &n, &low, &high, scales.data(), &info);
  return scales;
}

}  // namespace stillpoint
