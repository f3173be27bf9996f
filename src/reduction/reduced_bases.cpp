#include "reduction/reduced_bases.h"

#include "forms/congruence.h"

namespace stillpoint {

MinimalForm form_in_basis(const LinearSystem& system, const Eigen::MatrixXd& V, const Eigen::MatrixXd& S,
                          std::vector<std::string> names) {
  MinimalForm form;
  form.R = V.sparseView();
  form.S = S.sparseView();
  form.M = congruence(form.R, system.M);
  form.C = congruence(form.R, system.C);
  form.K = congruence(form.R, system.K);
  const SparseMatrix Rt = form.R.transpose();
  form.F = Rt * SparseMatrix(system.F - SparseMatrix(system.K * form.S));
  form.Fv = -(Rt * SparseMatrix(system.C * form.S));
  form.Fa = -(Rt * SparseMatrix(system.M * form.S));
  form.names = std::move(names);
  return form;
}

}  // namespace stillpoint
