// The description of a mode in one line: which parts move, and which elements store the potential energy.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linearize/energy_shares.h"
#include "report/participation.h"
#include "stillpoint/report.h"

namespace stillpoint {

namespace {

constexpr std::size_t most_named = 3;
constexpr double worth_naming = 0.05;  // smallest share of an energy that is named
constexpr double mainly = 0.9;         // part of a share that makes it a motion along x, or a rotation
constexpr double nearly_all = 0.9;     // part of an energy that the list must cover

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string verb_of(const Participant& who) {
  const bool one = who.members == 1;
  const double moving = who.along[0] + who.along[1] + who.along[2];
  if (who.rotating >= mainly * who.share) return one ? "rotates" : "rotate";
  if (who.rotating > (1 - mainly) * who.share && moving > 0) return one ? "moves and rotates" : "move and rotate";
  const std::string verb = one ? "moves" : "move";
  for (std::size_t k = 0; k < 3; ++k) {
    if (who.along[k] >= mainly * who.share) return verb + " along " + "xyz"[k];
  }
  return verb;
}

/// Returns the largest participants whose share is worth naming.
std::vector<Participant> main_ones(const Participants& participants) {
  std::vector<Participant> items = participants.largest_first();
  std::erase_if(items, [](const Participant& item) { return std::abs(item.share) < worth_naming; });
  if (items.size() > most_named) items.resize(most_named);
  return items;
}

std::string movers(const LinearSystem& system, const Eigen::VectorXcd& shape) {
  const Eigen::VectorXd shares = participation(system, shape);
  Participants participants;
  for (Index i = 0; i < shares.size(); ++i) {
    if (shares[i] != 0) participants.add(system.coordinate_name(i), shares[i]);
  }
  const std::vector<Participant> items = main_ones(participants);
  std::vector<std::string> words;
  for (const Participant& item : items) {
    const bool alone = items.size() == 1;
    words.push_back(fmt::format("{} {}{}", item.name, verb_of(item), alone ? "" : " " + percent(item.share)));
  }
  return words.empty() ? "many small motions" : fmt::format("{}", fmt::join(words, ", "));
}

std::string holders(const std::vector<EnergyShares::Share>& potential) {
  Participants participants;
  double listed = 0;
  for (const EnergyShares::Share& each : potential) {
    participants.add(each.name, each.share);
    listed += std::abs(each.share);
  }
  if (potential.empty()) return "";
  if (listed < nearly_all) return "; stiffness from many elements, each with a small share";  // these are not listed
  std::vector<std::string> words;
  for (const Participant& item : main_ones(participants)) words.push_back(item.name + " " + percent(item.share));
  return words.empty() ? "" : fmt::format("; stiffness from {}", fmt::join(words, ", "));
}

/// The part that the states of controllers have in a mode: of the terms of yᴴ (2sM + C) x, by magnitude. These are
/// independent of the units of coordinates and states, as energies of states without mass could not be.
std::string controlling(const AnalysisCase& analysis, const Mode& mode) {
  const LinearSystem& system = analysis.system;
  if (analysis.controllers.empty() || !analysis.model || mode.left.size() != mode.shape.size()) return "";
  const Eigen::VectorXcd rate = 2.0 * mode.s * (system.M * mode.shape) + system.C * mode.shape;
  const Eigen::VectorXd parts = mode.left.conjugate().cwiseProduct(rate).cwiseAbs();
  std::vector<std::string> words;
  for (Index i = analysis.model->coordinates(); i < system.coordinates(); ++i) {
    if (parts[i] >= worth_naming * parts.sum())
      words.push_back(fmt::format("{} {}", system.coordinate_name(i), percent(parts[i] / parts.sum())));
  }
  return words.empty() ? "" : fmt::format("; states of controllers: {}", fmt::join(words, ", "));
}

/// Says how e^{st} behaves unless it is a damped oscillation.
std::string behaviour_of(const Mode& mode) {
  const double error = std::isnan(mode.error) ? 0 : mode.error;
  if (std::abs(mode.s) <= error) return "neutral: ";
  const bool is_unstable = mode.s.real() > error;
  if (mode.s.imag() != 0) return is_unstable ? "flutters: " : "";
  const char* const what = is_unstable ? "diverges" : "decays without oscillation";
  const double time = 1 / std::abs(mode.s);
  return std::isfinite(time) ? fmt::format("{}, time constant {:.3g} s: ", what, time) : fmt::format("{}: ", what);
}

bool has_shape(const Mode& mode) {
  return !mode.is_infinite() && mode.kind != ModeClass::spurious && mode.shape.size() > 0;
}

/// Returns whether the mode is the second member of a pair, which moves like the first.
bool repeats(const std::vector<Mode>& modes, std::size_t k) {
  return k > 0 && modes[k].s.imag() < 0 && std::conj(modes[k].s) == modes[k - 1].s && has_shape(modes[k - 1]);
}

void give_energies(const AnalysisCase& analysis, const std::vector<Mode>& modes, std::vector<ModeAccount>& accounts) {
  std::vector<std::size_t> moving;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (has_shape(modes[k]) && !repeats(modes, k)) moving.push_back(k);
  }
  const Index of_model = analysis.model->coordinates();
  Eigen::MatrixXcd motions(of_model, static_cast<Eigen::Index>(moving.size()));
  for (std::size_t i = 0; i < moving.size(); ++i)
    motions.col(static_cast<Eigen::Index>(i)) = modes[moving[i]].shape.head(of_model);
  // Feedback of accelerations is in the mass matrix of a closed loop; it stores no energy.
  const bool is_closed = !analysis.controllers.empty();
  std::vector<EnergyShares> energies =
      is_closed ? energy_shares_of_each(*analysis.model, analysis.rest->state, motions)
                : energy_shares_of_each(*analysis.model, analysis.rest->state, analysis.system.M, motions);
  for (std::size_t i = 0; i < moving.size(); ++i) accounts[moving[i]].energy = std::move(energies[i]);
}

}  // namespace

std::vector<ModeAccount> account_for(const AnalysisCase& analysis, const std::vector<Mode>& modes) {
  std::vector<ModeAccount> accounts(modes.size());
  if (analysis.model) give_energies(analysis, modes, accounts);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    if (repeats(modes, k)) {
      accounts[k] = accounts[k - 1];
    } else if (has_shape(mode)) {
      const bool is_held = mode.s != 0.0;  // what no stiffness resists stores no energy but rounding
      accounts[k].description = behaviour_of(mode) + movers(analysis.system, mode.shape) +
                                (is_held ? holders(accounts[k].energy.potential) : "") + controlling(analysis, mode);
    } else {
      accounts[k].description = mode.is_infinite() ? "infinite: belongs to the constraints, not to the mechanism"
                                                   : "belongs to the method, not to the mechanism";
    }
  }
  return accounts;
}

}  // namespace stillpoint
