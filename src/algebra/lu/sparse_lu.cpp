#include "algebra/lu/sparse_lu.h"

#include <algorithm>
#include <limits>

#include "algebra/lu/klu_factors.h"
#include "algebra/lu/parted_lu.h"
#include "algebra/sparse/refinement.h"

namespace stillpoint {

namespace {

// Kept pivots may have a reciprocal growth smaller by this factor before new ones are chosen; where that takes as long
// as many factorisations with the old ones, also as long as half of the digits remain.
constexpr double worn_out = 1e-3;
constexpr double half_of_the_digits = 1.5e-8;

}  // namespace

class SparseLu::Factors {
 public:
  virtual ~Factors() = default;
  virtual bool is_regular_structure() const = 0;
  virtual bool exist() const = 0;
  virtual bool factor(const SparseMatrix& A) = 0;
  virtual bool refactor(const SparseMatrix& A) = 0;
  virtual void forget() = 0;
  virtual double pivot_ratio() = 0;
  virtual double reciprocal_growth(const SparseMatrix& A) = 0;
  /// Pivots are kept for such a reciprocal growth in any case.
  virtual double that_serves() const = 0;
  /// b and x may be the same.
  virtual void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) = 0;
};

class SparseLu::ByKlu final : public Factors {
 public:
  explicit ByKlu(const SparseMatrix& pattern, Index multipliers = 0) : klu_(pattern, multipliers) {}
  bool is_regular_structure() const override { return klu_.analysis() != nullptr; }
  bool exist() const override { return klu_.numeric() != nullptr; }
  bool factor(const SparseMatrix& A) override { return klu_.factor(A); }
  bool refactor(const SparseMatrix& A) override { return klu_.refactor(A); }
  void forget() override { klu_.forget_factors(); }
  double pivot_ratio() override { return klu_.pivot_ratio(); }
  double reciprocal_growth(const SparseMatrix& A) override { return klu_.reciprocal_growth(A); }
  double that_serves() const override { return std::numeric_limits<double>::infinity(); }
  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) override {
    x = b;
    klu_.solve(x);
  }

 private:
  KluFactors<double> klu_;
};

class SparseLu::InParts final : public Factors {
 public:
  explicit InParts(std::unique_ptr<PartedLu> lu) : lu_(std::move(lu)) {}
  bool is_regular_structure() const override { return true; }
  bool exist() const override { return lu_->has_factors(); }
  bool factor(const SparseMatrix& A) override { return lu_->factor(A); }
  bool refactor(const SparseMatrix& A) override { return lu_->refactor(A); }
  void forget() override { lu_->forget_factors(); }
  double pivot_ratio() override { return lu_->pivot_ratio(); }
  double reciprocal_growth(const SparseMatrix&) override { return lu_->reciprocal_growth(); }
  double that_serves() const override { return half_of_the_digits; }
  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) override { lu_->solve(b, x); }

 private:
  std::unique_ptr<PartedLu> lu_;
};

SparseLu::SparseLu(const SparseMatrix& pattern, Index multipliers)
    : factors_(std::make_unique<ByKlu>(pattern, multipliers)) {}

SparseLu::SparseLu(const SparseMatrix& pattern, Use use) {
  std::unique_ptr<PartedLu> parted = use == Use::often ? PartedLu::of(pattern) : nullptr;
  if (parted) factors_ = std::make_unique<InParts>(std::move(parted));
  else factors_ = std::make_unique<ByKlu>(pattern);
}

SparseLu::~SparseLu() = default;

bool SparseLu::factor_with_new_pivots() {
  if (!factors_->factor(*matrix_)) return false;
  first_growth_ = factors_->reciprocal_growth(*matrix_);
  return factors_->pivot_ratio() > singular_pivot_ratio;
}

bool SparseLu::factor(const SparseMatrix& A) {
  matrix_ = &A;
  if (A.cols() == 0) return true;
  if (!factors_->is_regular_structure()) return false;
  ++factorisations_;
  if (!factors_->exist() || !factors_->refactor(A)) return factor_with_new_pivots();
  const bool good = factors_->reciprocal_growth(A) > std::min(worn_out * first_growth_, factors_->that_serves());
  return (good && factors_->pivot_ratio() > singular_pivot_ratio) || factor_with_new_pivots();
}

void SparseLu::forget_factors() {
  factors_->forget();
  matrix_ = nullptr;
}

Eigen::VectorXd SparseLu::solve_once(const Eigen::VectorXd& b) {
  Eigen::VectorXd x(b.size());
  if (b.size() > 0) factors_->solve(b, x);
  return x;
}

Eigen::MatrixXd SparseLu::solve_columns(Eigen::MatrixXd b) {
  if (b.size() > 0) factors_->solve(b, b);
  return b;
}

Eigen::VectorXd SparseLu::solve(const Eigen::VectorXd& b) {
  return refined_solution(*matrix_, b, [this](Eigen::VectorXd x) {
    if (x.size() > 0) factors_->solve(x, x);
    return x;
  });
}

}  // namespace stillpoint
