#include "algebra/dense/complex_lapack.h"

#include <algorithm>

#include "algebra/dense/lapack_outcome.h"

using Complex = std::complex<double>;

extern "C" {
void zgeev_(const char* left, const char* right, const int* n, Complex* A, const int* lda, Complex* values, Complex* VL,
            const int* ldvl, Complex* VR, const int* ldvr, Complex* work, const int* lwork, double* rwork, int* info);
void zgees_(const char* vectors, const char* sort, const void* select, const int* n, Complex* A, const int* lda,
            int* sorted, Complex* values, Complex* Z, const int* ldz, Complex* work, const int* lwork, double* rwork,
            int* bwork, int* info);
void ztrsen_(const char* job, const char* vectors, const int* select, const int* n, Complex* T, const int* ldt,
             Complex* Z, const int* ldz, Complex* values, int* wanted, double* condition, double* separation,
             Complex* work, const int* lwork, int* info);
void zgesvd_(const char* job_U, const char* job_VH, const int* m, const int* n, Complex* A, const int* lda,
             double* values, Complex* U, const int* ldu, Complex* VH, const int* ldvh, Complex* work, const int* lwork,
             double* rwork, int* info);
void zgesdd_(const char* job, const int* m, const int* n, Complex* A, const int* lda, double* values, Complex* U,
             const int* ldu, Complex* VH, const int* ldvh, Complex* work, const int* lwork, double* rwork, int* iwork,
             int* info);
}

namespace stillpoint {

namespace {

// Runs the routine twice: the first call asks for the best size of the workspace, the second computes.
template <class Run>
void with_workspace(const Run& run) {
  Complex best = 0;
  int size = -1;
  run(&best, &size);
  size = static_cast<int>(best.real());
  std::vector<Complex> work(static_cast<std::size_t>(size));
  run(work.data(), &size);
}

}  // namespace

GeneralEigen solve_unsymmetric(Eigen::MatrixXcd A) {
  const int n = static_cast<int>(A.rows()), none = 1;
  GeneralEigen result{Eigen::VectorXcd(n), Eigen::MatrixXcd(n, n)};
  if (n == 0) return result;
  Eigen::VectorXd real_work(2 * n);
  require_finite_input("zgeev", A);
  int info = 0;
  with_workspace([&](Complex* work, const int* size) {
    zgeev_("N", "V", &n, A.data(), &n, result.values.data(), nullptr, &none, result.vectors.data(), &n, work, size,
           real_work.data(), &info);
  });
  require_success(info, "zgeev", n);
  require_finite_result("zgeev", result.values, result.vectors);
  return result;
}

ComplexLeadingSchur leading_schur(Eigen::MatrixXcd A,
                                  const std::function<std::vector<bool>(const Eigen::VectorXcd&)>& choose) {
  const int n = static_cast<int>(A.rows());
  if (n == 0) return {};
  Eigen::VectorXcd values(n);
  Eigen::MatrixXcd Z(n, n);
  Eigen::VectorXd real_work(n);
  require_finite_input("zgees", A);
  int info = 0, sorted = 0;
  with_workspace([&](Complex* work, const int* size) {
    zgees_("V", "N", nullptr, &n, A.data(), &n, &sorted, values.data(), Z.data(), &n, work, size, real_work.data(),
           nullptr, &info);
  });
  require_success(info, "zgees", n);
  require_finite_result("zgees", values, A, Z);
  const std::vector<bool> wanted = choose(values);
  const std::vector<int> flags(wanted.begin(), wanted.end());
  int kept = 0;
  double condition = 0, separation = 0;
  with_workspace([&](Complex* work, const int* size) {
    ztrsen_("N", "V", flags.data(), &n, A.data(), &n, Z.data(), &n, values.data(), &kept, &condition, &separation, work,
            size, &info);
  });
  require_success(info, "ztrsen", n);
  return {Z.leftCols(kept), A.topLeftCorner(kept, kept)};
}

// OpenBLAS 0.3.21 reads one number beyond the end of a row of a complex matrix in some products, so that each matrix
// gets one more column here.
ComplexSingularValues decompose(Eigen::MatrixXcd A) {
  const int m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols()), least = std::min(m, n);
  if (least == 0) return {Eigen::MatrixXcd::Identity(m, m), {}, Eigen::MatrixXcd::Identity(n, n)};
  ComplexSingularValues result{{}, Eigen::VectorXd(least), {}};
  Eigen::MatrixXcd U = Eigen::MatrixXcd::Zero(m, m + 1), V_adjoint = Eigen::MatrixXcd::Zero(n, n + 1);
  A.conservativeResizeLike(Eigen::MatrixXcd::Zero(m, n + 1));
  const auto real_size = static_cast<std::size_t>(least) *
                         static_cast<std::size_t>(std::max(5 * least + 7, 2 * std::max(m, n) + 2 * least + 1));
  require_finite_input("zgesdd", A);
  std::vector<double> real_work(real_size);
  std::vector<int> integers(static_cast<std::size_t>(8 * least));
  int info = 0;
  const Eigen::MatrixXcd given = A;
  with_workspace([&](Complex* work, const int* size) {
    zgesdd_("A", &m, &n, A.data(), &m, result.values.data(), U.data(), &m, V_adjoint.data(), &n, work, size,
            real_work.data(), integers.data(), &info);
  });
  if (info > 0) {
    A = given;
    with_workspace([&](Complex* work, const int* size) {
      zgesvd_("A", "A", &m, &n, A.data(), &m, result.values.data(), U.data(), &m, V_adjoint.data(), &n, work, size,
              real_work.data(), &info);
    });
  }
  require_success(info, "zgesvd", m);
  require_finite_result("zgesvd", result.values, U, V_adjoint);
  result.U = U.leftCols(m);
  result.V = V_adjoint.leftCols(n).adjoint();
  return result;
}

}  // namespace stillpoint
