#include "algebra/dense/lapack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algebra/dense/lapack_outcome.h"

extern "C" {
// dggev3 finds generalised eigenvalues by the QZ algorithm, with a blocked reduction to Hessenberg-triangular form; it
// needs LAPACK 3.6 or later.
void dggev3_(const char* left, const char* right, const int* n, double* A, const int* lda, double* B, const int* ldb,
             double* alpha_real, double* alpha_imaginary, double* beta, double* VL, const int* ldvl, double* VR,
             const int* ldvr, double* work, const int* lwork, int* info);
// dsyev finds symmetric eigenvalues by the QR algorithm, dsyevd by divide and conquer; dsygvd solves A x = μ B x with a
// positive definite B.
void dsyev_(const char* job, const char* triangle, const int* n, double* A, const int* lda, double* values,
            double* work, const int* lwork, int* info);
void dsyevd_(const char* job, const char* triangle, const int* n, double* A, const int* lda, double* values,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
void dsygvd_(const int* kind, const char* job, const char* triangle, const int* n, double* A, const int* lda, double* B,
             const int* ldb, double* values, double* work, const int* lwork, int* iwork, const int* liwork, int* info);
// dgeev finds the eigenvalues of a general matrix, dgees its Schur form; dtrsen moves chosen eigenvalues to the front.
void dgeev_(const char* left, const char* right, const int* n, double* A, const int* lda, double* real,
            double* imaginary, double* VL, const int* ldvl, double* VR, const int* ldvr, double* work, const int* lwork,
            int* info);
void dgees_(const char* vectors, const char* sort, const void* select, const int* n, double* A, const int* lda,
            int* sorted, double* real, double* imaginary, double* Z, const int* ldz, double* work, const int* lwork,
            int* bwork, int* info);
void dtrsen_(const char* job, const char* vectors, const int* select, const int* n, double* T, const int* ldt,
             double* Z, const int* ldz, double* real, double* imaginary, int* wanted, double* condition,
             double* separation, double* work, const int* lwork, int* iwork, const int* liwork, int* info);
// dgesvd finds singular values by the QR algorithm, dgesdd by divide and conquer.
void dgesvd_(const char* job_U, const char* job_VT, const int* m, const int* n, double* A, const int* lda,
             double* values, double* U, const int* ldu, double* VT, const int* ldvt, double* work, const int* lwork,
             int* info);
void dgesdd_(const char* job, const int* m, const int* n, double* A, const int* lda, double* values, double* U,
             const int* ldu, double* VT, const int* ldvt, double* work, const int* lwork, int* iwork, int* info);
}

namespace stillpoint {

namespace {

// Runs the routine twice: the first call asks for the best sizes of the workspaces, the second computes.
template <class Run>
void with_workspace(const Run& run) {
  double best = 0;
  int best_integers = 0, size = -1, integers = -1;
  run(&best, &size, &best_integers, &integers);
  size = static_cast<int>(best);
  integers = best_integers;
  std::vector<double> work(static_cast<std::size_t>(size));
  std::vector<int> integer_work(static_cast<std::size_t>(std::max(1, integers)));
  run(work.data(), &size, integer_work.data(), &integers);
}

/// The triangle that the routines for symmetric matrices read.
Eigen::MatrixXd lower(const Eigen::MatrixXd& A) { return A.triangularView<Eigen::Lower>(); }

// LAPACK stores the eigenvectors of a conjugate pair as real and imaginary part in adjacent columns. The imaginary
// parts of the eigenvalues must be finite.
Eigen::MatrixXcd unpacked(const Eigen::MatrixXd& packed, const Eigen::VectorXd& imaginary) {
  Eigen::MatrixXcd vectors(packed.rows(), packed.cols());
  for (Eigen::Index j = 0; j < packed.cols(); ++j) {
    const bool is_pair = imaginary[j] != 0 && j + 1 < packed.cols();
    for (Eigen::Index i = 0; i < packed.rows(); ++i) {
      vectors(i, j) = {packed(i, j), is_pair ? packed(i, j + 1) : 0};
      if (is_pair) vectors(i, j + 1) = std::conj(vectors(i, j));
    }
    if (is_pair) ++j;
  }
  return vectors;
}

}  // namespace

bool PencilEigen::is_infinite(Eigen::Index i) const {
  return !(beta[i] > std::numeric_limits<double>::epsilon() * std::abs(alpha[i]));
}

namespace {

constexpr int not_finite = 1'000'000'000;  // an outcome of our own: LAPACK's are below 2 n

struct Qz {
  PencilEigen eigen;
  int info = 0;
};

// In LAPACK 3.10 and 3.11, for one in 10⁵ pencils of order 75 or more, the index of the shifts among the eigenvalues is
// wrong (Reference-LAPACK, issue 793), and entries beyond both ends of the arrays are read and written. The arrays are
// therefore three times as long as necessary, and filled with numbers.
Qz qz(Eigen::MatrixXd A, Eigen::MatrixXd E) {
  const int n = static_cast<int>(A.rows());
  Qz result;
  PencilEigen& eigen = result.eigen;
  Eigen::VectorXd real = Eigen::VectorXd::Zero(3 * n), imaginary = real, beta = Eigen::VectorXd::Ones(3 * n);
  Eigen::MatrixXd left(n, n), right(n, n);
  with_workspace([&](double* work, const int* size, int*, const int*) {
    dggev3_("V", "V", &n, A.data(), &n, E.data(), &n, real.data() + n, imaginary.data() + n, beta.data() + n,
            left.data(), &n, right.data(), &n, work, size, &result.info);
  });
  if (result.info == 0 && !(real.allFinite() && imaginary.allFinite() && beta.allFinite())) result.info = not_finite;
  if (result.info != 0) return result;
  eigen.alpha.resize(n);
  eigen.beta = beta.segment(n, n);
  imaginary = imaginary.segment(n, n).eval();
  for (int i = 0; i < n; ++i) eigen.alpha[i] = {real[n + i], imaginary[i]};
  eigen.right = unpacked(right, imaginary);
  eigen.left = unpacked(left, imaginary);
  return result;
}

}  // namespace

// QZ fails to converge for about one in ten thousand stiff pencils of small order; it then converges for the shifted
// pencil A − σE, whose eigenvalues are s − σ.
PencilEigen solve_pencil(Eigen::MatrixXd A, Eigen::MatrixXd E) {
  constexpr double share = 0.3;  // the shift, as a fraction of ‖A‖ / ‖E‖
  if (A.rows() == 0) return {};
  require_finite_input("dggev3", A, E);
  Qz result = qz(A, E);
  if (result.info > 0) {
    const double sigma = share * A.norm() / E.norm();
    result = qz(A - sigma * E, E);
    if (result.info == 0) result.eigen.alpha += sigma * result.eigen.beta.cast<std::complex<double>>();
  }
  if (result.info == not_finite) throw_not_finite("dggev3", A.rows(), "computed by");
  require_success(result.info, "dggev3", A.rows());
  require_finite_result("dggev3", result.eigen.right, result.eigen.left);
  return std::move(result.eigen);
}

// For about one in ten thousand of the graded matrices that the Lanczos method produces, divide and conquer does not
// converge; the QR algorithm does.
SymmetricEigen solve_symmetric(Eigen::MatrixXd A) {
  const int n = static_cast<int>(A.rows());
  SymmetricEigen result;
  result.values.resize(n);
  if (n == 0) return result;
  require_finite_input("dsyevd", lower(A));
  int info = 0;
  const Eigen::MatrixXd given = A;
  with_workspace([&](double* work, const int* size, int* integers, const int* integer_size) {
    dsyevd_("V", "L", &n, A.data(), &n, result.values.data(), work, size, integers, integer_size, &info);
  });
  if (info > 0) {
    A = given;
    with_workspace([&](double* work, const int* size, int*, const int*) {
      dsyev_("V", "L", &n, A.data(), &n, result.values.data(), work, size, &info);
    });
  }
  require_success(info, "dsyev", n);
  require_finite_result("dsyev", result.values, A);
  result.vectors = std::move(A);
  return result;
}

Eigen::VectorXd symmetric_values(Eigen::MatrixXd A) {
  const int n = static_cast<int>(A.rows());
  Eigen::VectorXd values(n);
  if (n == 0) return values;
  require_finite_input("dsyev", lower(A));
  int info = 0;
  with_workspace([&](double* work, const int* size, int*, const int*) {
    dsyev_("N", "L", &n, A.data(), &n, values.data(), work, size, &info);
  });
  require_success(info, "dsyev", n);
  require_finite_result("dsyev", values);
  return values;
}

std::optional<SymmetricEigen> solve_symmetric(Eigen::MatrixXd A, Eigen::MatrixXd M) {
  const int n = static_cast<int>(A.rows()), kind = 1;
  SymmetricEigen result;
  result.values.resize(n);
  if (n == 0) return result;
  require_finite_input("dsygvd", lower(A), lower(M));
  int info = 0;
  with_workspace([&](double* work, const int* size, int* integers, const int* integer_size) {
    dsygvd_(&kind, "V", "L", &n, A.data(), &n, M.data(), &n, result.values.data(), work, size, integers, integer_size,
            &info);
  });
  if (info > n) return std::nullopt;  // the Cholesky factorisation failed: M is not positive definite
  require_success(info, "dsygvd", n);
  require_finite_result("dsygvd", result.values, A);
  result.vectors = std::move(A);
  return result;
}

GeneralEigen solve_unsymmetric(Eigen::MatrixXd A) {
  const int n = static_cast<int>(A.rows()), none = 1;
  GeneralEigen result{Eigen::VectorXcd(n), {}};
  if (n == 0) return result;
  Eigen::VectorXd real(n), imaginary(n);
  Eigen::MatrixXd vectors(n, n);
  require_finite_input("dgeev", A);
  int info = 0;
  with_workspace([&](double* work, const int* size, int*, const int*) {
    dgeev_("N", "V", &n, A.data(), &n, real.data(), imaginary.data(), nullptr, &none, vectors.data(), &n, work, size,
           &info);
  });
  require_success(info, "dgeev", n);
  require_finite_result("dgeev", real, imaginary, vectors);
  result.values.real() = real;
  result.values.imag() = imaginary;
  result.vectors = unpacked(vectors, imaginary);
  return result;
}

LeadingSchur leading_schur(Eigen::MatrixXd A, const std::function<std::vector<bool>(const Eigen::VectorXcd&)>& choose) {
  const int n = static_cast<int>(A.rows());
  if (n == 0) return {};
  Eigen::VectorXd real(n), imaginary(n);
  Eigen::MatrixXd Z(n, n);
  require_finite_input("dgees", A);
  int info = 0, sorted = 0;
  with_workspace([&](double* work, const int* size, int*, const int*) {
    dgees_("V", "N", nullptr, &n, A.data(), &n, &sorted, real.data(), imaginary.data(), Z.data(), &n, work, size,
           nullptr, &info);
  });
  require_success(info, "dgees", n);
  require_finite_result("dgees", real, imaginary, A, Z);
  Eigen::VectorXcd values(n);
  values.real() = real;
  values.imag() = imaginary;
  const std::vector<bool> wanted = choose(values);
  const std::vector<int> flags(wanted.begin(), wanted.end());
  int kept = 0;
  double condition = 0, separation = 0;
  with_workspace([&](double* work, const int* size, int* integers, const int* integer_size) {
    dtrsen_("N", "V", flags.data(), &n, A.data(), &n, Z.data(), &n, real.data(), imaginary.data(), &kept, &condition,
            &separation, work, size, integers, integer_size, &info);
  });
  // 1 means that some eigenvalues are too close to be exchanged; the leading columns still span an invariant subspace.
  if (info != 1) require_success(info, "dtrsen", n);
  if (kept < n && kept > 0 && A(kept, kept - 1) != 0) ++kept;  // a conjugate pair must not be split
  return {Z.leftCols(kept), A.topLeftCorner(kept, kept)};
}

// As for symmetric eigenvalues, the QR algorithm takes over where divide and conquer does not converge.
SingularValues decompose(Eigen::MatrixXd A) {
  const int m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols()), least = std::min(m, n);
  if (least == 0) return {Eigen::MatrixXd::Identity(m, m), {}, Eigen::MatrixXd::Identity(n, n)};
  SingularValues result{Eigen::MatrixXd(m, m), Eigen::VectorXd(least), {}};
  Eigen::MatrixXd V_transposed(n, n);
  std::vector<int> integers(static_cast<std::size_t>(8 * least));
  require_finite_input("dgesdd", A);
  int info = 0;
  const Eigen::MatrixXd given = A;
  with_workspace([&](double* work, const int* size, int*, const int*) {
    dgesdd_("A", &m, &n, A.data(), &m, result.values.data(), result.U.data(), &m, V_transposed.data(), &n, work, size,
            integers.data(), &info);
  });
  if (info > 0) {
    A = given;
    with_workspace([&](double* work, const int* size, int*, const int*) {
      dgesvd_("A", "A", &m, &n, A.data(), &m, result.values.data(), result.U.data(), &m, V_transposed.data(), &n, work,
              size, &info);
    });
  }
  require_success(info, "dgesvd", m);
  require_finite_result("dgesvd", result.values, result.U, V_transposed);
  result.V = V_transposed.transpose();
  return result;
}

Eigen::VectorXd singular_values(Eigen::MatrixXd A) {
  const int m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols()), least = std::min(m, n), none = 1;
  Eigen::VectorXd values(least);
  if (least == 0) return values;
  require_finite_input("dgesvd", A);
  int info = 0;
  with_workspace([&](double* work, const int* size, int*, const int*) {
    dgesvd_("N", "N", &m, &n, A.data(), &m, values.data(), nullptr, &none, nullptr, &none, work, size, &info);
  });
  require_success(info, "dgesvd", m);
  require_finite_result("dgesvd", values);
  return values;
}

}  // namespace stillpoint
