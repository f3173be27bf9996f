#include "algebra/rank/sparse_qr.h"

#include <algorithm>
#include <cmath>

#include "algebra/ordering/column_fronts.h"

namespace stillpoint {

namespace {

std::vector<Index> with_last(std::vector<Index> order, const std::vector<Index>& late,
                             const std::vector<Index>& dropped) {
  std::vector<char> moves(order.size(), 0);
  for (const Index row : late) moves[row] = 1;
  for (const Index row : dropped) moves[row] = 1;
  std::erase_if(order, [&](Index row) { return moves[row] != 0; });
  order.insert(order.end(), late.begin(), late.end());
  order.insert(order.end(), dropped.begin(), dropped.end());
  return order;
}

}  // namespace

/// The numerical elimination, front by front. The contributions of finished fronts wait on a stack.
class FrontalElimination {
 public:
  FrontalElimination(const SparseMatrix& S, const SparseQr::Options& options, SparseQr& qr)
      : S_(S),
        qr_(qr),
        dead_(options.dead),
        plan_(plan_column_fronts(S, qr.tree_)),
        is_dropped_(qr.tree_.order.size(), 0) {
    qr.columns_.reserve(at(plan_.entries));
    qr.values_.reserve(at(plan_.entries));
    for (const Index row : options.dropped) is_dropped_[qr.tree_.position[row]] = 1;
    local_.resize(qr.tree_.order.size());
    seen_.assign(qr.tree_.order.size(), -1);
    blocks_below_.assign(at(plan_.fronts()), 0);
  }

  void run() {
    for (Index f = 0; f < plan_.fronts(); ++f) {
      gather_columns(f);
      gather_rows(f);
      fill_front(f);
      eliminate_pivots(f);
      pass_on(f);
    }
    qr_.dropped_ = std::sqrt(dropped_squares_);
  }

 private:
  struct Block {
    std::size_t columns, rows, values;  // where they begin on the stacks
  };
  struct Row {
    Index lead;         // first nonzero column, within the block
    std::size_t value;  // where its values begin
  };

  std::size_t end_of_columns(std::size_t b) const {
    return b + 1 < blocks_.size() ? blocks_[b + 1].columns : block_columns_.size();
  }
  std::size_t end_of_rows(std::size_t b) const {
    return b + 1 < blocks_.size() ? blocks_[b + 1].rows : block_rows_.size();
  }
  Index rows_begin(Index position) const { return position > 0 ? plan_.lead_end[position - 1] : 0; }
  double& value_at(Index row, Index column) { return front_[at(std::int64_t{column} * height_ + row)]; }

  /// Lists the pivots of the front, then every other position that its rows reach.
  void gather_columns(Index f) {
    const Index first = plan_.first[f], end = plan_.first[f + 1];
    pivots_ = end - first;
    columns_.clear();
    for (Index k = first; k < end; ++k) {
      seen_[k] = f;
      columns_.push_back(k);
    }
    const auto add = [&](Index position) {
      if (seen_[position] == f) return;
      seen_[position] = f;
      columns_.push_back(position);
    };
    for (Index row = rows_begin(first); row < plan_.lead_end[end - 1]; ++row) {
      for (SparseMatrix::InnerIterator entry(S_, plan_.lead[row]); entry; ++entry) {
        add(qr_.tree_.position[entry.row()]);
      }
    }
    first_block_ = blocks_.size() - at(blocks_below_[f]);
    if (first_block_ < blocks_.size()) {
      for (std::size_t c = blocks_[first_block_].columns; c < block_columns_.size(); ++c) add(block_columns_[c]);
    }
    std::sort(columns_.begin() + pivots_, columns_.end());
    width_ = static_cast<Index>(columns_.size());
    for (Index c = 0; c < width_; ++c) local_[columns_[c]] = c;
  }

  /// Counts the rows by the column in which they begin. Below row `stair_[c]`, column c of the front is zero.
  void gather_rows(Index f) {
    const Index first = plan_.first[f], end = plan_.first[f + 1];
    stair_.assign(at(width_) + 1, 0);
    for (Index k = first; k < end; ++k) stair_[local_[k] + 1] += plan_.lead_end[k] - rows_begin(k);
    for (std::size_t b = first_block_; b < blocks_.size(); ++b) {
      for (std::size_t r = blocks_[b].rows; r < end_of_rows(b); ++r) {
        ++stair_[local_[block_columns_[blocks_[b].columns + at(block_rows_[r].lead)]] + 1];
      }
    }
    for (Index c = 0; c < width_; ++c) stair_[c + 1] += stair_[c];
    height_ = stair_[width_];
  }

  void fill_front(Index f) {
    const Index first = plan_.first[f], end = plan_.first[f + 1];
    front_.assign(at(std::int64_t{height_} * width_), 0.0);
    for (Index k = first; k < end; ++k) {
      for (Index row = rows_begin(k); row < plan_.lead_end[k]; ++row) {
        const Index to = stair_[local_[k]]++;
        for (SparseMatrix::InnerIterator entry(S_, plan_.lead[row]); entry; ++entry) {
          value_at(to, local_[qr_.tree_.position[entry.row()]]) = entry.value();
        }
      }
    }
    if (first_block_ < blocks_.size()) {
      for (std::size_t b = first_block_; b < blocks_.size(); ++b) {
        const Index* const columns = block_columns_.data() + blocks_[b].columns;
        const Index width = static_cast<Index>(end_of_columns(b) - blocks_[b].columns);
        for (std::size_t r = blocks_[b].rows; r < end_of_rows(b); ++r) {
          const Row& row = block_rows_[r];
          const Index to = stair_[local_[columns[row.lead]]]++;
          const double* value = block_values_.data() + row.value;
          for (Index c = row.lead; c < width; ++c) value_at(to, local_[columns[c]]) = *value++;
        }
      }
      block_columns_.resize(blocks_[first_block_].columns);
      block_rows_.resize(blocks_[first_block_].rows);
      block_values_.resize(blocks_[first_block_].values);
      blocks_.resize(first_block_);
    }
    // Each count has advanced to the end of its own rows: stair_[c] rows begin in column c or before.
  }

  /// Applies a Householder reflection to the rows [top, stair): only the first keeps an entry in this column, ±norm.
  void reflect(Index top, Index column, double norm) {
    const Index rows = stair_[column] - top;
    if (rows < 2) return;
    double* const v = &value_at(top, column);
    const double alpha = v[0] > 0 ? -norm : norm;
    const double scale = 1 / (norm * (norm + std::abs(v[0])));
    v[0] -= alpha;
    for (Index c = column + 1; c < width_; ++c) {
      double* const x = &value_at(top, c);
      double product = 0;
      for (Index i = 0; i < rows; ++i) product += v[i] * x[i];
      if (product == 0) continue;
      product *= scale;
      for (Index i = 0; i < rows; ++i) x[i] -= product * v[i];
    }
    v[0] = alpha;
    std::fill(v + 1, v + rows, 0.0);
  }

  double norm_below(Index top, Index column) {
    double squares = 0;
    for (Index i = top; i < stair_[column]; ++i) squares += value_at(i, column) * value_at(i, column);
    return std::sqrt(squares);
  }

  void eliminate_pivots(Index f) {
    top_ = 0;
    for (Index c = 0; c < pivots_; ++c) {
      const Index position = plan_.first[f] + c;
      qr_.starts_[position] = qr_.ends_[position] = static_cast<std::int64_t>(qr_.columns_.size());
      stair_[c] = std::max(stair_[c], top_);
      const double norm = norm_below(top_, c);
      if (is_dropped_[position] || norm <= dead_ || norm == 0) {
        dropped_squares_ += norm * norm;
        for (Index i = top_; i < stair_[c]; ++i) value_at(i, c) = 0;
        continue;
      }
      reflect(top_, c, norm);
      for (Index k = c; k < width_; ++k) {
        if (value_at(top_, k) == 0) continue;
        qr_.columns_.push_back(columns_[k]);
        qr_.values_.push_back(value_at(top_, k));
      }
      qr_.ends_[position] = static_cast<std::int64_t>(qr_.columns_.size());
      ++qr_.live_;
      ++top_;
    }
  }

  /// Passes the rows below the pivots on to the parent front, reduced to no more rows than columns.
  void pass_on(Index f) {
    const Index above = plan_.parent[f];
    if (above == -1 || top_ == height_ || pivots_ == width_) return;
    if (height_ - top_ > width_ - pivots_) {
      Index top = top_;
      for (Index c = pivots_; c < width_; ++c) {
        stair_[c] = std::max(stair_[c], top);
        const double norm = norm_below(top, c);
        if (norm == 0) continue;
        reflect(top++, c, norm);
      }
      height_used_ = top;
    } else {
      height_used_ = height_;
    }
    const Block block{block_columns_.size(), block_rows_.size(), block_values_.size()};
    for (Index i = top_; i < height_used_; ++i) {
      Index lead = pivots_;
      while (lead < width_ && value_at(i, lead) == 0) ++lead;
      if (lead == width_) continue;
      block_rows_.push_back({lead - pivots_, block_values_.size()});
      for (Index c = lead; c < width_; ++c) block_values_.push_back(value_at(i, c));
    }
    if (block_rows_.size() == block.rows) return;
    block_columns_.insert(block_columns_.end(), columns_.begin() + pivots_, columns_.end());
    blocks_.push_back(block);
    ++blocks_below_[above];
  }

  const SparseMatrix& S_;
  SparseQr& qr_;
  double dead_, dropped_squares_ = 0;
  ColumnFronts plan_;
  std::vector<char> is_dropped_;
  std::vector<Index> local_, seen_, blocks_below_;

  // The current front, stored by columns.
  std::vector<Index> columns_, stair_;
  std::vector<double> front_;
  Index pivots_ = 0, width_ = 0, height_ = 0, height_used_ = 0, top_ = 0;
  std::size_t first_block_ = 0;

  // The stack of contribution blocks.
  std::vector<Block> blocks_;
  std::vector<Index> block_columns_;
  std::vector<Row> block_rows_;
  std::vector<double> block_values_;
};

SparseQr::SparseQr(const SparseMatrix& S, const SparseMatrix& S_transposed, std::vector<Index> order,
                   const Options& options)
    : tree_(column_tree(S_transposed, with_last(std::move(order), options.late, options.dropped))),
      starts_(tree_.order.size()),
      ends_(tree_.order.size()) {
  FrontalElimination(S, options, *this).run();
}

void SparseQr::solve(Eigen::VectorXd& x) const {
  for (Index k = static_cast<Index>(tree_.order.size()) - 1; k >= 0; --k) {
    if (!is_live(k)) {
      x[k] = 0;
      continue;
    }
    double rest = x[k];
    for (std::int64_t e = starts_[k] + 1; e < ends_[k]; ++e) rest -= values_[at(e)] * x[columns_[at(e)]];
    x[k] = rest / diagonal(k);
  }
}

void SparseQr::solve_transposed(Eigen::VectorXd& x) const {
  const Index m = static_cast<Index>(tree_.order.size());
  for (Index k = 0; k < m; ++k) {
    if (!is_live(k)) {
      x[k] = 0;
      continue;
    }
    x[k] /= diagonal(k);
    for (std::int64_t e = starts_[k] + 1; e < ends_[k]; ++e) x[columns_[at(e)]] -= values_[at(e)] * x[k];
  }
}

}  // namespace stillpoint
