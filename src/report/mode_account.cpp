// What is this mode? Its motion and its energy in one line of words.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linearize/energy_shares.h"
#include "report/participation.h"
#include "stillpoint/report.h"

namespace stillpoint {

namespace {

constexpr std::size_t most_named = 3;
constexpr double worth_naming = 0.05;  // of the energy
constexpr double mainly = 0.9;         // of a thing's share: then it is called a motion along x, or a turn
constexpr double nearly_all = 0.9;     // of an energy

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string verb_of(const Participant& who) {
  const bool one = who.members == 1;
  const double moving = who.along[0] + who.along[1] + who.along[2];
  if (who.turning >= mainly * who.share) return one ? "turns" : "turn";
  if (who.turning > (1 - mainly) * who.share && moving > 0) return one ? "moves and turns" : "move and turn";
  const std::string verb = one ? "moves" : "move";
  for (std::size_t k = 0; k < 3; ++k) {
    if (who.along[k] >= mainly * who.share) return verb + " along " + "xyz"[k];
  }
  return verb;
}

/// The first few of those that are worth it.
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
  if (listed < nearly_all) return "; stiffness from many elements, each with little";  // the smaller are not listed
  std::vector<std::string> words;
  for (const Participant& item : main_ones(participants)) words.push_back(item.name + " " + percent(item.share));
  return words.empty() ? "" : fmt::format("; stiffness from {}", fmt::join(words, ", "));
}

/// What e^{st} does, where that is more than to swing.
std::string course_of(const Mode& mode) {
  const double error = std::isnan(mode.error) ? 0 : mode.error;
  if (std::abs(mode.s) <= error) return "neutral: ";
  const bool grows = mode.s.real() > error;
  if (mode.s.imag() != 0) return grows ? "flutters: " : "";
  return fmt::format("{}, time constant {:.3g} s: ", grows ? "diverges" : "creeps back", 1 / std::abs(mode.s));
}

bool has_shape(const Mode& mode) {
  return !mode.is_infinite() && mode.kind != ModeClass::spurious && mode.shape.size() > 0;
}

/// The second member of a pair moves as the first one.
bool repeats(const std::vector<Mode>& modes, std::size_t k) {
  return k > 0 && modes[k].s.imag() < 0 && std::conj(modes[k].s) == modes[k - 1].s && has_shape(modes[k - 1]);
}

void give_energies(const Subject& subject, const std::vector<Mode>& modes, std::vector<ModeAccount>& accounts) {
  std::vector<std::size_t> moving;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (has_shape(modes[k]) && !repeats(modes, k)) moving.push_back(k);
  }
  Eigen::MatrixXcd motions(subject.system.coordinates(), static_cast<Eigen::Index>(moving.size()));
  for (std::size_t i = 0; i < moving.size(); ++i) motions.col(static_cast<Eigen::Index>(i)) = modes[moving[i]].shape;
  std::vector<EnergyShares> energies =
      energy_shares_of_each(*subject.model, subject.rest->state, subject.system.M, motions);
  for (std::size_t i = 0; i < moving.size(); ++i) accounts[moving[i]].energy = std::move(energies[i]);
}

}  // namespace

std::vector<ModeAccount> account_for(const Subject& subject, const std::vector<Mode>& modes) {
  std::vector<ModeAccount> accounts(modes.size());
  if (subject.model) give_energies(subject, modes, accounts);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    if (repeats(modes, k)) {
      accounts[k] = accounts[k - 1];
    } else if (has_shape(mode)) {
      accounts[k].description =
          course_of(mode) + movers(subject.system, mode.shape) + holders(accounts[k].energy.potential);
    } else {
      accounts[k].description = mode.is_infinite() ? "infinite: of the constraints, not of the mechanism"
                                                   : "of the method, not of the mechanism";
    }
  }
  return accounts;
}

}  // namespace stillpoint
