// The facts of an explanation as sentences. Nothing is computed here.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/name_list.h"
#include "report/digits.h"
#include "report/mode_table.h"
#include "stillpoint/explanation.h"

namespace stillpoint {

namespace {

using Sentences = std::vector<std::string>;

std::string number_of(Index count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string degrees(Index dof) { return number_of(dof, "degree of freedom", "degrees of freedom"); }

/// "hinge[1].x, y, z, hinge[2].x": equations of one joint have its name once.
std::string equations_in_short(const std::vector<std::string>& names, Index count) {
  constexpr Index most = 12;
  std::vector<std::string> shown;
  std::string joint;
  for (const std::string& name : names) {
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos && !joint.empty() && name.compare(0, dot, joint) == 0)
      shown.back() += ", " + name.substr(dot + 1);
    else shown.push_back(name);
    joint = dot == std::string::npos ? "" : name.substr(0, dot);
  }
  const bool are_all = static_cast<Index>(names.size()) == count;
  std::string text = name_list(shown, static_cast<Index>(shown.size()), most);
  if (!are_all) text += fmt::format(" and others, {} in all", count);
  return text;
}

std::string command(const Explanation& explanation, const std::string& verb, const std::string& more = "") {
  return fmt::format("stillpoint {} {}{}{}", verb, explanation.model_words, more.empty() ? "" : " ", more);
}

std::string gap_words(double gap) {
  return std::isnan(gap) ? "" : fmt::format(", decided by a gap of {}", magnitude(gap));
}

// ----- Verdict

std::string deciding_number(const VerdictExplanation& verdict) {
  const std::string of_branch = verdict.branch.empty() ? "" : fmt::format(" on the branch '{}'", verdict.branch);
  if (verdict.unit.empty())
    return fmt::format("What decides: {}{}, {:.0f}, {}.", verdict.quantity, of_branch, verdict.value,
                       verdict.criterion);
  return fmt::format("What decides: {}{}, {:.6g} ± {} {}, {}.", verdict.quantity, of_branch, verdict.value,
                     magnitude(verdict.error), verdict.unit, verdict.criterion);
}

ExplanationBlock verdict_block(const Explanation& explanation) {
  const VerdictExplanation& verdict = *explanation.verdict;
  ExplanationBlock block{ExplanationTopic::verdict, in_words(verdict.verdict), {}, command(explanation, "modes")};
  block.sentences.push_back(deciding_number(verdict));
  if (!verdict.verdict.reason.empty())
    block.sentences.push_back(fmt::format("Basis: {}; {}.", verdict.verdict.basis, verdict.verdict.reason));
  if (verdict.negative_stiffness >= 0)
    block.sentences.push_back(
        fmt::format("Counted at the equilibrium: the stiffness along the {} has {} and {}.",
                    number_of(verdict.dof, "possible motion", "possible motions"),
                    number_of(verdict.negative_stiffness, "negative eigenvalue", "negative eigenvalues"),
                    number_of(verdict.zero_stiffness, "that is zero", "that are zero")));
  if (!verdict.found_with_damping.empty())
    block.sentences.push_back("Of the damping was found: " + verdict.found_with_damping + ".");
  return block;
}

// ----- Redundancy

std::string type_in_words(const std::string& keyword) {
  if (keyword == "spherical") return "a ball joint (spherical)";
  if (keyword == "point_on_line") return "a ball in a tube (point_on_line)";
  if (keyword == "cylindrical") return "a hinge that also slides (cylindrical)";
  if (keyword == "universal") return "a universal joint";
  if (keyword == "revolute") return "a hinge (revolute)";
  if (keyword == "slider") return "a pin in a slot (slider)";
  return "a " + keyword;
}

std::string release_in_words(const JointRelease& release) {
  if (release.is_removed) return fmt::format("remove {}", release.joint);
  std::string what;
  for (const std::string& equation : release.released) {
    const std::string prefix = release.joint + ".";
    const bool is_further = !what.empty() && equation.starts_with(prefix);
    what += (what.empty() ? "" : ", ") + (is_further ? equation.substr(prefix.size()) : equation);
  }
  return "release " + what + (release.becomes.empty() ? "" : ": " + type_in_words(release.becomes) + " there");
}

std::string outcome_in_words(const ReleaseChoice& choice) {
  const std::string redundancy = choice.redundant == 0
                                     ? "no redundancy"
                                     : number_of(choice.redundant, "redundant constraint", "redundant constraints");
  return fmt::format("leaves {} and {} (rank {} of {} constraints)", degrees(choice.dof), redundancy, choice.rank,
                     choice.constraints);
}

std::string choice_in_words(const ReleaseChoice& choice) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, choice.joints.size()); ++k)
    text += (k == 0 ? "" : "; ") + release_in_words(choice.joints[k]);
  if (choice.joints.size() > most) text += fmt::format("; and {} more", choice.joints.size() - most);
  return fmt::format("{}; this {}.", text, outcome_in_words(choice));
}

std::string loops_in_words(const RedundantGroup& group) {
  if (group.loops.empty()) return fmt::format("Joints: {}.", name_list(group.joints, group.joint_count));
  const ClosedLoop& first = group.loops.front();
  std::string text = fmt::format("{} closes the loop {}", first.closed_by, name_list(first.joints));
  const auto others = static_cast<Index>(group.loops.size()) - 1;
  if (others > 0) text += fmt::format("; {} there", number_of(others, "more loop is closed", "more loops are closed"));
  return text + ".";
}

void add_group(const RedundantGroup& group, Sentences& sentences) {
  sentences.push_back(loops_in_words(group));
  sentences.push_back(fmt::format("{} of these {} equations {} from the others: {}.", group.redundant,
                                  group.constraint_count, group.redundant == 1 ? "follows" : "follow",
                                  equations_in_short(group.constraints, group.constraint_count)));
  for (const ReleaseChoice& choice : group.choices) {
    const std::string words = choice_in_words(choice);
    sentences.push_back((&choice == &group.choices.front() ? "Tried: " : "Or: ") + words);
  }
}

/// The first group in detail, then all of them, then the details of the others.
ExplanationBlock redundancy_block(const Explanation& explanation) {
  const RedundancyExplanation& found = *explanation.redundancy;
  ExplanationBlock block{ExplanationTopic::redundancy, {}, {}, command(explanation, "equilibrium")};
  block.title = found.redundant == 0 ? fmt::format("none of {} constraints is redundant", found.constraints)
                                     : fmt::format("{} of {} constraints {} redundant", found.redundant,
                                                   found.constraints, found.redundant == 1 ? "is" : "are");
  if (!found.groups.empty()) add_group(found.groups.front(), block.sentences);
  if (found.group_count > 1)
    block.sentences.push_back(
        fmt::format("There are {} such groups of constraints that depend on each other.", found.group_count));
  if (found.all && (found.group_count > 1 || found.groups.front().choices.empty()))
    block.sentences.push_back("All groups together: " + choice_in_words(*found.all));
  block.sentences.push_back(fmt::format("{} coordinates less the rank {} of {} constraints leave {}{}.",
                                        found.coordinates, found.rank, found.constraints, degrees(found.dof),
                                        gap_words(found.decision.gap)));
  for (const std::string& what : found.left_out) block.sentences.push_back("Left out: " + what + ".");
  for (std::size_t k = 1; k < found.groups.size(); ++k) add_group(found.groups[k], block.sentences);
  return block;
}

// ----- Singular configurations

const char* kind_in_words(ConfigurationType kind) {
  switch (kind) {
    case ConfigurationType::regular:
      return "the configuration is regular";
    case ConfigurationType::redundant:
      return "the configuration is not singular: the rank is the same in a neighbourhood";
    case ConfigurationType::singular:
      return "the configuration is singular: motions branch";
    case ConfigurationType::isolated:
      return "the configuration is singular and isolated: nothing can move";
    default:
      return "whether the configuration is singular is undecided";
  }
}

std::string branch_in_words(const BranchFacts& branch, const SingularityExplanation& found) {
  std::string text = fmt::format("Branch '{}': {}", branch.name, degrees(branch.dimension));
  if (branch.rank > 0) text += fmt::format(", rank {} there against {} here", branch.rank, found.rank);
  if (branch.unstable_directions >= 0)
    text += fmt::format(", {}, {} neutral",
                        number_of(branch.unstable_directions, "unstable direction", "unstable directions"),
                        branch.neutral_directions);
  return text +
         (branch.confirmed ? "; a motion along it was found." : "; a motion along it was not searched or found.");
}

ExplanationBlock singular_block(const Explanation& explanation) {
  const SingularityExplanation& found = *explanation.singular;
  ExplanationBlock block{
      ExplanationTopic::singular, kind_in_words(found.kind), {}, command(explanation, "equilibrium")};
  if (found.constraints == 0) {
    block.sentences.push_back(fmt::format("There are 0 constraints, so {}.", degrees(found.dof)));
    return block;
  }
  std::string rank =
      fmt::format("Here the rank is {} of {} constraints, so that {} to first order", found.rank, found.constraints,
                  found.dof == 1 ? "1 motion is possible" : fmt::format("{} motions are possible", found.dof));
  if (!std::isnan(found.decision.smallest_kept))
    rank += fmt::format("; the smallest singular value that counts is {} of the largest",
                        magnitude(found.decision.smallest_kept));
  if (!std::isnan(found.decision.largest_dropped))
    rank += fmt::format(", the next {}", magnitude(found.decision.largest_dropped));
  block.sentences.push_back(rank + ".");
  for (const BranchFacts& branch : found.branches) block.sentences.push_back(branch_in_words(branch, found));
  if (!found.constraints_that_depend.empty())
    block.sentences.push_back(fmt::format(
        "These constraints depend on each other here: {}.",
        equations_in_short(found.constraints_that_depend, static_cast<Index>(found.constraints_that_depend.size()))));
  return block;
}

// ----- Undecided

std::string decision_in_words(const DecidingNumber& one) {
  std::string text = fmt::format("{}: {:.4g}{}{}", one.what, one.value, one.unit.empty() ? "" : " ", one.unit);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!std::isnan(one.bar)) text += fmt::format(", {} {:.4g}", one.comparison, one.bar);
  return text + (one.decided ? "." : fmt::format(": UNDECIDED. What would decide it: {}.", one.would_decide));
}

ExplanationBlock decisions_block(const Explanation& explanation) {
  const DecisionExplanation& found = *explanation.undecided;
  ExplanationBlock block{ExplanationTopic::undecided,
                         found.undecided == 0
                             ? fmt::format("nothing; {} numbers decide", found.numbers.size())
                             : number_of(found.undecided, "number does not decide", "numbers do not decide"),
                         {},
                         command(explanation, "modes", "--json")};
  for (const DecidingNumber& one : found.numbers) block.sentences.push_back(decision_in_words(one));
  if (found.numbers.empty())
    block.sentences.push_back(fmt::format("There are 0 constraints and {}.", degrees(explanation.dof)));
  return block;
}

// ----- Spurious eigenvalues

std::string percent(double part) { return fmt::format("{:.3g} %", 100 * part); }

void add_finite(const SpuriousExplanation& found, Sentences& sentences) {
  sentences.push_back(fmt::format(
      "Eigenvalue {}, s = {:.4g} {} {:.4g}i 1/s: its vector violates the constraints by {} of its size, and every "
      "spurious one by {} at least; no true one by more than {}.",
      found.number, found.s.real(), found.s.imag() < 0 ? "-" : "+", std::abs(found.s.imag()),
      magnitude(found.violation), magnitude(found.least_violation), magnitude(found.true_violation)));
  if (std::isnan(found.alpha)) return;
  sentences.push_back(fmt::format(
      "Computed again with twice the penalty frequency ω ({:.3g} rad/s), the nearest eigenvalue is {} away; true ones "
      "move by {} at most.",
      found.omega, percent(found.moved_by_omega), percent(found.true_moved_by_omega)));
  sentences.push_back(
      fmt::format("Computed again with twice the penalty factors Ξ (up to {:.3g}), it is {} away, true ones {} at "
                  "most; ξ = {:.3g}.",
                  found.alpha, percent(found.moved_by_alpha), percent(found.true_moved_by_alpha), found.xi));
}

std::string count_in_words(const SpuriousExplanation& found) {
  const std::string text =
      fmt::format("{}: {} of {} eigenvalues are spurious, {} of these finite. ", name_of(found.method), found.spurious,
                  found.spurious + found.true_count, found.finite_spurious);
  return text + (found.method == Method::ucs
                     ? fmt::format("Each of the {} independent constraints adds 2.", found.independent_constraints)
                     : fmt::format("Its equations have the order {}, of {} coordinates, as many rates and {} "
                                   "multipliers, but the mechanism has only {} eigenvalues.",
                                   found.order, found.coordinates, found.independent_constraints, found.true_count));
}

void add_spurious(const SpuriousExplanation& found, Sentences& sentences) {
  const std::string name = name_of(found.method);
  if (!found.why_not.empty()) {
    sentences.push_back(fmt::format("{}: {}.", name, found.why_not));
    return;
  }
  if (found.spurious == 0) {
    sentences.push_back(fmt::format("{}: none; all {} eigenvalues are true, as there are {} independent constraints.",
                                    name, found.true_count, found.independent_constraints));
    return;
  }
  sentences.push_back(count_in_words(found));
  if (found.number == 0) return;
  if (!found.is_infinite) return add_finite(found, sentences);
  sentences.push_back(
      fmt::format("Eigenvalue {}: infinite: multipliers have no rates, and constrained coordinates none of their own.",
                  found.number));
}

ExplanationBlock spurious_block(const Explanation& explanation) {
  ExplanationBlock block{ExplanationTopic::spurious, "MCS has none", {}, command(explanation, "compare", "--spurious")};
  for (const SpuriousExplanation& each : explanation.spurious) add_spurious(each, block.sentences);
  return block;
}

// ----- Methods

std::string method_in_words(const MethodFacts& facts) {
  std::string text = fmt::format("{}: order {}", name_of(facts.method), facts.order);
  if (!std::isnan(facts.fill))
    text += fmt::format(", fill {:.3g} (entries of the factor: {:.0f})", facts.fill, facts.factor_entries);
  if (facts.computed)
    text += fmt::format(", {} true and {} spurious, error bounds up to {} 1/s", facts.found, facts.spurious,
                        magnitude(facts.largest_error));
  if (!std::isnan(facts.seconds))
    text += fmt::format(", {}{}", facts.seconds_are_estimated ? "estimated " : "", duration(facts.seconds));
  return text + (facts.why_not.empty() ? "." : "; " + facts.why_not + ".");
}

ExplanationBlock method_block(const Explanation& explanation) {
  const MethodExplanation& found = *explanation.method;
  ExplanationBlock block{ExplanationTopic::method, {}, {}, command(explanation, "compare")};
  block.title = found.suits == "mcs"   ? "minimal coordinates (MCS) suit this system"
                : found.suits == "rcs" ? "redundant coordinates (RCS) suit this system"
                                       : "there is no motion to compute";
  for (const MethodFacts& facts : found.methods) block.sentences.push_back(method_in_words(facts));
  for (const std::string& sentence : found.advice) block.sentences.push_back(sentence);
  if (!found.engine.empty())
    block.sentences.push_back(
        fmt::format("Engine for {}: {}, because {}.", degrees(explanation.dof), found.engine, found.engine_why));
  return block;
}

// ----- A mode

std::string shares_in_words(const std::vector<EnergyShares::Share>& shares) {
  std::vector<std::string> words;
  for (const EnergyShares::Share& each : shares)
    words.push_back(fmt::format("{} {:.3g} %", each.name, 100 * each.share));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string parameter_in_words(const ModeExplanation& mode) {
  const std::string unit = mode.parameter_unit.empty() ? "" : " " + mode.parameter_unit;
  return fmt::format(
      "Of {}{} '{}' ({:.6g}{}) changes it most: 1 % more of it moves s by {:.3g} % of its size, the frequency by "
      "{:+.3g} Hz.",
      number_of(mode.parameters_compared, "parameter", "parameters"),
      mode.parameters_at_zero > 0
          ? fmt::format(" that are not zero ({})", number_of(mode.parameters_at_zero, "is", "are"))
          : "",
      mode.parameter, mode.parameter_value, unit, 100 * mode.relative_change, mode.frequency_change);
}

std::string class_in_words(const Mode& mode) {
  std::string text = fmt::format("Class: {}", word_of(mode.kind));
  if (!std::isnan(mode.violation))
    text += fmt::format(", its vector violates the constraints by {}", magnitude(mode.violation));
  if (!std::isnan(mode.residual)) text += fmt::format(", the residual is {}", magnitude(mode.residual));
  return text + ".";
}

ExplanationBlock mode_block(const Explanation& explanation) {
  const ModeExplanation& mode = *explanation.mode;
  ExplanationBlock block{ExplanationTopic::mode, {}, {}, {}};
  block.title = fmt::format("{} of {}: s = {} 1/s, {:.6g} Hz, damping ratio {:.4g}", mode.number, mode.count,
                            eigenvalue_in_line(mode.mode.s, mode.mode.error, mode.is_pair), frequency(mode.mode),
                            damping_ratio(mode.mode) + 0.0);
  if (!mode.description.empty()) block.sentences.push_back("It is: " + mode.description + ".");
  if (!mode.kinetic.empty()) block.sentences.push_back("Kinetic energy: " + shares_in_words(mode.kinetic) + ".");
  if (!mode.potential.empty()) block.sentences.push_back("Potential energy: " + shares_in_words(mode.potential) + ".");
  if (!mode.parameter.empty()) block.sentences.push_back(parameter_in_words(mode));
  block.sentences.push_back(class_in_words(mode.mode));
  for (const std::string& what : mode.left_out) block.sentences.push_back("Left out: " + what + ".");
  block.more = mode.sensitivity_number > 0 && !mode.parameter.empty()
                   ? command(explanation, "sensitivity", fmt::format("--mode {}", mode.sensitivity_number))
                   : command(explanation, "modes", "--shapes --json");
  return block;
}

// ----- Warnings and refusals

ExplanationBlock warnings_block(const Explanation& explanation) {
  const std::vector<std::string>& warnings = *explanation.warnings;
  return {ExplanationTopic::warnings,
          warnings.empty() ? fmt::format("none about {} coordinates and {} constraints", explanation.coordinates,
                                         explanation.constraints)
                           : number_of(static_cast<Index>(warnings.size()), "warning", "warnings"),
          warnings, command(explanation, "check")};
}

ExplanationBlock refusal_block(const Explanation& explanation) {
  const RefusalExplanation& refusal = *explanation.refusal;
  ExplanationBlock block{ExplanationTopic::refusal, refusal.what, {}, command(explanation, refusal.command)};
  if (!refusal.message.empty()) block.sentences.push_back(refusal.message);
  if (!std::isnan(refusal.residual))
    block.sentences.push_back(
        fmt::format("The largest residual is {}, relative to the forces or lengths of the model{}.",
                    magnitude(refusal.residual), refusal.worst.empty() ? "" : ", at '" + refusal.worst + "'"));
  block.sentences.push_back(fmt::format("The model has {} coordinates and {} constraints.", explanation.coordinates,
                                        explanation.constraints));
  return block;
}

}  // namespace

std::vector<ExplanationBlock> in_words(const Explanation& explanation) {
  std::vector<ExplanationBlock> blocks;
  if (explanation.refusal) blocks.push_back(refusal_block(explanation));
  if (explanation.verdict) blocks.push_back(verdict_block(explanation));
  if (explanation.undecided) blocks.push_back(decisions_block(explanation));
  if (explanation.singular) blocks.push_back(singular_block(explanation));
  if (explanation.redundancy) blocks.push_back(redundancy_block(explanation));
  if (explanation.warnings) blocks.push_back(warnings_block(explanation));
  if (!explanation.spurious.empty()) blocks.push_back(spurious_block(explanation));
  if (explanation.mode) blocks.push_back(mode_block(explanation));
  if (explanation.method) blocks.push_back(method_block(explanation));
  return blocks;
}

}  // namespace stillpoint
