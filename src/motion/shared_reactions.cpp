// Which reactions redundant constraints leave open. λ is unique up to λ + N c, Jᵀ N = 0; an output is determined if its
// row of H_λ N is zero, relative to the size of its terms.
#include <Eigen/QR>
#include <algorithm>
#include <map>
#include <numeric>

#include "base/at.h"
#include "stillpoint/assembly.h"
#include "stillpoint/motion.h"
#include "stillpoint/outputs.h"

namespace stillpoint {

namespace {

constexpr double counts_as_zero = 1e-9;

class Groups {
 public:
  explicit Groups(Index count) : parent_(at(count)) { std::iota(parent_.begin(), parent_.end(), 0); }
  Index root(Index k) {
    while (parent_[at(k)] != k) k = parent_[at(k)] = parent_[at(parent_[at(k)])];
    return k;
  }
  void join(Index a, Index b) { parent_[at(root(a))] = root(b); }

 private:
  std::vector<Index> parent_;
};

}  // namespace

std::vector<SharedReactions> shared_reactions(const Model& model, const State& state) {
  MotionAssembly assembly(model);
  const RowDependence rows = find_dependent_rows(assembly.at(state).J);
  if (rows.dependent.empty() || model.outputs() == 0) return {};
  const SparseMatrix Hl = observe(model, state).Hl, &N = rows.null_vectors;
  const SparseMatrix open = Hl * N, size = Hl.cwiseAbs() * N.cwiseAbs();
  // Null vectors that meet in an output belong to one group.
  const Index count = static_cast<Index>(N.cols());
  Groups groups(count);
  std::map<Index, Index> vector_of;  // one of the null vectors of each output
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index k = 0; k < count; ++k) {
    for (SparseMatrix::InnerIterator entry(open, k); entry; ++entry) {
      const auto output = static_cast<Index>(entry.row());
      if (!(std::abs(entry.value()) > counts_as_zero * size.coeff(output, k))) continue;
      entries.emplace_back(output, k, entry.value());
      const auto [known, is_new] = vector_of.try_emplace(output, k);
      if (!is_new) groups.join(known->second, k);
    }
  }
  std::map<Index, SharedReactions> found;
  for (const auto& [output, k] : vector_of) found[groups.root(k)].outputs.push_back(output);
  SparseMatrix shares(model.outputs(), count);
  shares.setFromTriplets(entries.begin(), entries.end());
  std::vector<SharedReactions> all;
  for (auto& [root, group] : found) {
    std::vector<Index> columns;
    for (Index k = 0; k < count; ++k) {
      if (groups.root(k) == root) columns.push_back(k);
    }
    const Eigen::MatrixXd part = Eigen::MatrixXd(shares)(group.outputs, columns);
    group.unknowns = static_cast<Index>(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(part).rank());
    all.push_back(std::move(group));
  }
  return all;
}

}  // namespace stillpoint
