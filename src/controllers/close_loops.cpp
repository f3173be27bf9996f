// What the controllers measure, y_c, and do, w, is eliminated:
//
//   w = E (C x + D r + D Σ (H_c z + H_cu u)),     E = (I − D Σ H_cw)⁻¹,     Σ: signs of the feedback
//
// with H_c z short for H_q q + H_v q̇ + H_a q̈ of the measured outputs, and H_cw for their feedthrough from w.

#include "stillpoint/close_loops.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <map>
#include <set>

#include "base/at.h"
#include "controllers/measured_and_driven.h"
#include "stillpoint/error.h"
#include "system/checking.h"

namespace stillpoint {

namespace {

using Triplets = std::vector<Eigen::Triplet<double, Index>>;

// Below this reciprocal condition nothing but rounding determines w.
constexpr double undetermined_loop = 1e-13;

void add_block(const SparseMatrix& A, Index row, Index column, Triplets& entries) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      entries.emplace_back(row + static_cast<Index>(entry.row()), column + j, entry.value());
  }
}

SparseMatrix assembled(Eigen::Index rows, Eigen::Index columns, const Triplets& entries) {
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// Returns [A B; C D]; matrices without entries stand for zeros.
SparseMatrix in_blocks(const SparseMatrix& A, const SparseMatrix& B, const SparseMatrix& C, const SparseMatrix& D) {
  Triplets entries;
  add_block(A, 0, 0, entries);
  add_block(B, 0, static_cast<Index>(A.cols()), entries);
  add_block(C, static_cast<Index>(A.rows()), 0, entries);
  add_block(D, static_cast<Index>(A.rows()), static_cast<Index>(A.cols()), entries);
  return assembled(A.rows() + D.rows(), A.cols() + D.cols(), entries);
}

SparseMatrix zeros(Eigen::Index rows, Eigen::Index columns) { return SparseMatrix(rows, columns); }

SparseMatrix stacked(const SparseMatrix& A, const SparseMatrix& B) {
  return in_blocks(A, zeros(A.rows(), 0), B, zeros(B.rows(), 0));
}

SparseMatrix beside(const SparseMatrix& A, const SparseMatrix& B) {
  return in_blocks(A, B, zeros(0, A.cols()), zeros(0, B.cols()));
}

SparseMatrix with_zeros(const SparseMatrix& A, Eigen::Index more_rows, Eigen::Index more_columns) {
  return in_blocks(A, zeros(A.rows(), more_columns), zeros(more_rows, A.cols()), zeros(more_rows, more_columns));
}

SparseMatrix identity(Eigen::Index order) {
  SparseMatrix unit(order, order);
  unit.setIdentity();
  return unit;
}

// ---------------------------------------------------------------------------------------------------------------------
// All controllers as one

void require_fitting(const Controller& one) {
  const auto inputs = std::ssize(one.from), outputs = std::ssize(one.to);
  const Eigen::Index order = one.A.rows();
  if (one.D.cols() != inputs || one.D.rows() != outputs)
    throw Error(fmt::format(
        "controller '{}' has a block with {} input{} and {} output{}, but measures {} signal{} ('from') and acts on "
        "{} ('to')",
        one.name, one.D.cols(), one.D.cols() == 1 ? "" : "s", one.D.rows(), one.D.rows() == 1 ? "" : "s", inputs,
        inputs == 1 ? "" : "s", outputs));
  const bool fits = one.A.cols() == order && one.B.rows() == order && one.B.cols() == inputs &&
                    one.C.rows() == outputs && one.C.cols() == order && std::ssize(one.state_names) == order;
  if (!fits)
    throw Error(fmt::format(
        "the matrices of controller '{}' do not fit together: A is {} x {}, B {} x {}, C {} x {}, D {} x {}, and "
        "{} states have names",
        one.name, one.A.rows(), one.A.cols(), one.B.rows(), one.B.cols(), one.C.rows(), one.C.cols(), one.D.rows(),
        one.D.cols(), one.state_names.size()));
  const bool is_finite = one.A.allFinite() && one.B.allFinite() && one.C.allFinite() && one.D.allFinite();
  if (!is_finite) throw Error(fmt::format("controller '{}' has a number that is not finite", one.name));
}

SparseMatrix block_diagonal(const std::vector<Controller>& controllers, Eigen::MatrixXd Controller::*matrix) {
  Triplets entries;
  Index row = 0, column = 0;
  for (const Controller& one : controllers) {
    add_block((one.*matrix).sparseView(), row, column, entries);
    row += static_cast<Index>((one.*matrix).rows());
    column += static_cast<Index>((one.*matrix).cols());
  }
  return assembled(row, column, entries);
}

/// Names of the controllers' states and channels, "pid.reference", in the order of the controllers.
struct LoopNames {
  std::vector<std::string> states, references, actions, feedbacks;
};

std::string channel_of(const Controller& one, const char* word, std::size_t k, std::size_t count) {
  return count == 1 ? fmt::format("{}.{}", one.name, word) : fmt::format("{}.{}[{}]", one.name, word, k + 1);
}

LoopNames names_of_loops(const std::vector<Controller>& controllers) {
  LoopNames names;
  for (const Controller& one : controllers) {
    for (const std::string& state : one.state_names) names.states.push_back(one.name + "." + state);
    for (std::size_t k = 0; k < one.from.size(); ++k)
      names.references.push_back(channel_of(one, one.is_broken ? "error" : "reference", k, one.from.size()));
    for (std::size_t k = 0; k < one.to.size(); ++k) names.actions.push_back(channel_of(one, "u", k, one.to.size()));
    for (std::size_t k = 0; one.is_broken && k < one.from.size(); ++k)
      names.feedbacks.push_back(channel_of(one, "feedback", k, one.from.size()));
  }
  return names;
}

void require_free(const std::vector<std::string>& added, const NameOf& name, Index count, const char* kind) {
  std::set<std::string> taken;
  const std::set<std::string> wanted(added.begin(), added.end());
  for (Index i = 0; i < count; ++i) {
    const std::string known = name(i);
    if (wanted.contains(known)) taken.insert(known);
  }
  for (const std::string& one : added) {
    if (!taken.insert(one).second)
      throw Error(fmt::format("the {} '{}' that a controller adds has the name of another one", kind, one));
  }
}

/// Signs with which y enters the errors, and signs of what a broken loop feeds back (zero where it is closed).
struct Signs {
  Eigen::VectorXd of_error, of_feedback;
};

Signs signs_of(const std::vector<Controller>& controllers, Eigen::Index measured) {
  Signs signs{Eigen::VectorXd::Zero(measured), Eigen::VectorXd::Zero(measured)};
  Eigen::Index k = 0;
  for (const Controller& one : controllers) {
    for (std::size_t i = 0; i < one.from.size(); ++i, ++k) {
      const double sign = one.positive_feedback ? 1 : -1;
      if (one.is_broken) signs.of_feedback[k] = -sign;
      else signs.of_error[k] = sign;
    }
  }
  return signs;
}

// ---------------------------------------------------------------------------------------------------------------------
// The feedback

/// Returns E = (I − D Σ H_cw)⁻¹.
SparseMatrix solved_loop(const SparseMatrix& through) {
  if (through.nonZeros() == 0) return identity(through.rows());
  const Eigen::MatrixXd loop = Eigen::MatrixXd::Identity(through.rows(), through.cols()) - Eigen::MatrixXd(through);
  const Eigen::PartialPivLU<Eigen::MatrixXd> factors(loop);
  const bool is_solvable = factors.rcond() > undetermined_loop;
  if (!is_solvable)
    throw Error(
        "the controllers form an algebraic loop without a solution: what they do reaches what they measure at once, "
        "with a loop gain of one; a filter, such as a lag, in one of them breaks it");
  return factors.inverse().sparseView();
}

/// w = on_state x + on_reference r + on_measured (H_c z + H_cu u), and the same for what drives the states.
struct Feedback {
  SparseMatrix on_state, on_reference, on_measured;
};

/// The matrices of outputs, as functions of the coordinates, their rates, and the inputs.
struct Rows {
  SparseMatrix Hq, Hv, Ha, Hu;
};

SparseMatrix scaled_rows(const Eigen::VectorXd& scale, const SparseMatrix& A) { return scale.asDiagonal() * A; }

class ClosedLoops {
 public:
  ClosedLoops(const LinearSystem& system, const std::vector<Controller>& controllers)
      : system_(system),
        channels_(measured_and_driven(system, controllers)),
        names_(names_of_loops(controllers)),
        signs_(signs_of(controllers, channels_.Hq.rows())),
        states_(static_cast<Index>(names_.states.size())) {
    const SparseMatrix A = block_diagonal(controllers, &Controller::A), B = block_diagonal(controllers, &Controller::B);
    const SparseMatrix C = block_diagonal(controllers, &Controller::C), D = block_diagonal(controllers, &Controller::D);
    const SparseMatrix DS = D * signs_.of_error.asDiagonal(), BS = B * signs_.of_error.asDiagonal();
    const SparseMatrix E = solved_loop(SparseMatrix(DS * channels_.Hw).pruned());
    action_ = {SparseMatrix(E * C), SparseMatrix(E * D), SparseMatrix(E * DS)};
    const SparseMatrix back = BS * channels_.Hw;
    drive_ = {SparseMatrix(A + SparseMatrix(back * action_.on_state)),
              SparseMatrix(B + SparseMatrix(back * action_.on_reference)),
              SparseMatrix(BS + SparseMatrix(back * action_.on_measured))};
  }

  LinearSystem closed() const {
    LinearSystem made = system_;
    require_free(names_.states, system_.coordinate_name, system_.coordinates(), "state");
    require_free(names_.references, system_.input_name, system_.inputs(), "input");
    add_motion(made);
    add_outputs(made);
    add_what_is_known(made);
    add_channel_names(made);
    check(made);
    return made;
  }

 private:
  /// −[Fw; 0] (w as a function of this motion) and −(what drives x), to be added to a matrix of the motion.
  SparseMatrix with_feedback(const SparseMatrix& A, const SparseMatrix& H, const SparseMatrix& forces_of_x,
                             const SparseMatrix& own) const {
    const SparseMatrix force = channels_.Fw * SparseMatrix(action_.on_measured * H);
    const SparseMatrix drive = drive_.on_measured * H;
    return in_blocks(SparseMatrix(A - force), forces_of_x, SparseMatrix(-drive), own);
  }

  void add_motion(LinearSystem& made) const {
    const Eigen::Index n = system_.coordinates();
    const SparseMatrix none = zeros(n, states_);
    made.M = with_feedback(system_.M, channels_.Ha, none, zeros(states_, states_));
    made.C = with_feedback(system_.C, channels_.Hv, none, identity(states_));
    made.K = with_feedback(system_.K, channels_.Hq, SparseMatrix(-(channels_.Fw * action_.on_state)),
                           SparseMatrix(-drive_.on_state));
    made.J = with_zeros(system_.J, 0, states_);
    const SparseMatrix by_inputs = SparseMatrix(action_.on_measured * channels_.Hu);
    made.F = in_blocks(SparseMatrix(system_.F + SparseMatrix(channels_.Fw * by_inputs)),
                       SparseMatrix(channels_.Fw * action_.on_reference),
                       SparseMatrix(drive_.on_measured * channels_.Hu), drive_.on_reference);
    made.G = with_zeros(system_.G, 0, drive_.on_reference.cols());
  }

  /// Outputs of the system with the direct effect of w on them.
  Rows through_loops(const Rows& rows, const SparseMatrix& from_w) const {
    const auto with = [&](const SparseMatrix& H, const SparseMatrix& measured) -> SparseMatrix {
      return H + SparseMatrix(from_w * SparseMatrix(action_.on_measured * measured));
    };
    return {beside(with(rows.Hq, channels_.Hq), SparseMatrix(from_w * action_.on_state)),
            with_zeros(with(rows.Hv, channels_.Hv), 0, states_), with_zeros(with(rows.Ha, channels_.Ha), 0, states_),
            beside(with(rows.Hu, channels_.Hu), SparseMatrix(from_w * action_.on_reference))};
  }

  /// What broken loops would feed back; the rows of the other ones are left out.
  Rows broken_feedback() const {
    std::vector<Index> rows;
    for (Index k = 0; k < signs_.of_feedback.size(); ++k) {
      if (signs_.of_feedback[k] != 0) rows.push_back(k);
    }
    const auto chosen = [&](const SparseMatrix& H) -> SparseMatrix {
      SparseMatrix selection(static_cast<Index>(rows.size()), H.rows());
      for (std::size_t k = 0; k < rows.size(); ++k) selection.insert(static_cast<Index>(k), rows[k]) = 1;
      return selection * scaled_rows(signs_.of_feedback, H);
    };
    return through_loops({chosen(channels_.Hq), chosen(channels_.Hv), chosen(channels_.Ha), chosen(channels_.Hu)},
                         chosen(channels_.Hw));
  }

  void add_outputs(LinearSystem& made) const {
    const Eigen::Index n = system_.coordinates(), w = channels_.Fw.cols();
    const Rows own = through_loops({system_.Hq, system_.Hv, system_.Ha, system_.Hu}, channels_.outputs_of_w);
    const Rows actions =
        through_loops({zeros(w, n), zeros(w, n), zeros(w, n), zeros(w, system_.inputs())}, identity(w));
    const Rows feedbacks = broken_feedback();
    const auto all = [&](SparseMatrix Rows::*H) { return stacked(stacked(own.*H, actions.*H), feedbacks.*H); };
    made.Hq = all(&Rows::Hq);
    made.Hv = all(&Rows::Hv);
    made.Ha = all(&Rows::Ha);
    made.Hu = all(&Rows::Hu);
    made.Hl = with_zeros(system_.Hl, w + static_cast<Eigen::Index>(names_.feedbacks.size()), 0);
  }

  /// The terms of K cancel in the sum with the feedback, too.
  SparseMatrix cancellation_of(const SparseMatrix& K) const {
    const SparseMatrix forces = (channels_.Fw * SparseMatrix(action_.on_measured * channels_.Hq)).eval();
    const SparseMatrix terms = stiffness_magnitudes(system_) + SparseMatrix(forces.cwiseAbs());
    const SparseMatrix own = K.topLeftCorner(terms.rows(), terms.cols()).cwiseAbs();
    SparseMatrix lost = terms - own;
    lost.prune([](Index, Index, double value) { return value > 0; });
    return with_zeros(lost, states_, states_);
  }

  static Eigen::VectorXd longer(const Eigen::VectorXd& x, Eigen::Index count) {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(count);
    all.head(x.size()) = x;
    return x.size() > 0 ? all : x;
  }

  void add_what_is_known(LinearSystem& made) const {
    made.cancellation = cancellation_of(made.K);
    made.strains = {};
    made.joint_tree = nullptr;
    for (LinearSystem::Difference& each : made.perturbed) {
      for (SparseMatrix* const A : {&each.M, &each.C, &each.K}) *A = with_zeros(*A, states_, states_);
      each.J = with_zeros(each.J, 0, states_);
    }
    for (SparseMatrix& form : made.free_stiffness) form = with_zeros(form, states_, states_);
    for (MotionBranch& branch : made.branches) {
      const Eigen::MatrixXd tangents = branch.tangents;
      branch.tangents = Eigen::MatrixXd::Zero(tangents.rows() + states_, tangents.cols() + states_);
      branch.tangents.topLeftCorner(tangents.rows(), tangents.cols()) = tangents;
      branch.tangents.bottomRightCorner(states_, states_).setIdentity();
    }
    made.q = longer(system_.q, made.M.rows());
    made.u = longer(system_.u, made.F.cols());
    made.y = longer(system_.y, made.Hq.rows());
  }

  static NameOf followed_by(const NameOf& name, Index count, std::vector<std::string> more) {
    return [name, count, more = std::move(more)](Index i) {
      if (i < count) return name ? name(i) : std::string();
      return more.empty() ? std::string() : more[at(i - count)];
    };
  }

  void add_channel_names(LinearSystem& made) const {
    std::vector<std::string> outputs = names_.actions;
    outputs.insert(outputs.end(), names_.feedbacks.begin(), names_.feedbacks.end());
    require_free(outputs, system_.output_name, system_.outputs(), "output");
    std::vector<std::string> units = channels_.units_of_w;
    for (Eigen::Index k = 0; k < signs_.of_feedback.size(); ++k) {
      if (signs_.of_feedback[k] != 0) units.push_back(channels_.units_of_measured[at(k)]);
    }
    made.coordinate_name = followed_by(system_.coordinate_name, system_.coordinates(), names_.states);
    made.coordinate_unit = followed_by(system_.coordinate_unit, system_.coordinates(), {});
    made.input_name = followed_by(system_.input_name, system_.inputs(), names_.references);
    made.input_unit = followed_by(system_.input_unit, system_.inputs(), channels_.units_of_measured);
    made.output_name = followed_by(system_.output_name, system_.outputs(), outputs);
    made.output_unit = followed_by(system_.output_unit, system_.outputs(), units);
  }

  const LinearSystem& system_;
  MeasuredAndDriven channels_;
  LoopNames names_;
  Signs signs_;
  Index states_ = 0;
  Feedback action_, drive_;
};

}  // namespace

LinearSystem close_loops(const LinearSystem& system, const std::vector<Controller>& controllers) {
  if (controllers.empty()) return system;
  for (const Controller& one : controllers) require_fitting(one);
  return ClosedLoops(system, controllers).closed();
}

}  // namespace stillpoint
