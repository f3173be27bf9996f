// Zeros: the outline. Small systems by deflation, large ones near a point.
#include <fmt/format.h>

#include <algorithm>

#include "base/at.h"
#include "forms/motion_outputs.h"
#include "forms/prescribed_motion.h"
#include "stillpoint/error.h"
#include "stillpoint/zeros.h"
#include "zeros/deflation.h"
#include "zeros/pencil_zeros.h"
#include "zeros/zeros_near.h"

namespace stillpoint {

namespace {

/// Whether two zeros are the same within their bounds.
bool are_same(const Zero& a, const Zero& b) { return std::abs(a.s - b.s) <= a.error + b.error; }

Index multiplicity_at(const Zero& zero, const std::vector<Zero>& zeros) {
  Index multiplicity = 0;
  for (const Zero& other : zeros) {
    if (are_same(zero, other)) multiplicity += other.multiplicity;
  }
  return multiplicity;
}

/// Splits each invariant zero into decoupling and transmission zeros. A mode that no input moves and no output shows
/// is in both lists; it counts once, so that the transmission zeros are what is left of the multiplicity at most.
void tell_kinds(Zeros& found) {
  for (Zero& zero : found.invariant) {
    zero.input_decoupling =
        std::min(zero.multiplicity, std::max(zero.input_decoupling, multiplicity_at(zero, found.unmoved)));
    zero.output_decoupling =
        std::min(zero.multiplicity, std::max(zero.output_decoupling, multiplicity_at(zero, found.unshown)));
    const Index either = std::min(zero.multiplicity, zero.input_decoupling + zero.output_decoupling);
    const bool is_in_both = zero.multiplicity == 1 || either < zero.input_decoupling + zero.output_decoupling;
    zero.transmission = is_in_both ? zero.multiplicity - std::max(zero.input_decoupling, zero.output_decoupling)
                                   : zero.multiplicity - either;
  }
}

void append(std::vector<std::string>& reasons, const std::vector<std::string>& more, const char* what) {
  for (const std::string& reason : more) reasons.push_back(what + reason);
}

Zeros zeros_by_deflation(const SystemPencil& pencil, const std::function<void(const std::string&)>& progress) {
  const PencilZeros both = zeros_of(pencil, "zeros: ", progress),
                    rows = zeros_of(without_outputs(pencil), "modes that no input moves: ", progress),
                    columns = zeros_of(without_inputs(pencil), "modes that no output shows: ", progress);
  Zeros found;
  found.solver = "deflated system pencil, QZ";
  found.invariant = both.zeros;
  found.unmoved = rows.zeros;
  found.unshown = columns.zeros;
  found.normal_rank = both.rank - pencil.coordinates - pencil.constraints;
  found.smallest_gap = std::numeric_limits<double>::infinity();
  found.steps = both.steps;
  for (const PencilZeros* const part : {&both, &rows, &columns}) {
    for (const RankOfStep& step : part->steps) found.smallest_gap = std::min(found.smallest_gap, gap_of(step));
  }
  append(found.reasons, both.reasons, "");
  append(found.reasons, rows.reasons, "modes that no input moves: ");
  append(found.reasons, columns.reasons, "modes that no output shows: ");
  tell_kinds(found);
  return found;
}

[[noreturn]] void refuse_size(Index order, Index largest) {
  throw Error(
      fmt::format("all zeros at once need the deflation of a dense pencil of order {}; allowed is {}: give a "
                  "point (option 'near') to find the zeros nearest to it",
                  order, largest));
}

}  // namespace

Index Zeros::count() const {
  Index sum = 0;
  for (const Zero& zero : invariant) sum += zero.multiplicity;
  return sum;
}

Zeros find_zeros(const LinearSystem& system, const ZeroOptions& options) {
  require_consistent_motion(system);
  std::vector<std::string> warnings;
  if (system.singular) {
    warnings.emplace_back(
        "the configuration is singular: motions branch here, and these zeros belong to none of the branches");
  }
  const SparseMatrix reactions = determined_reactions(system, options.minimum_norm_reactions, warnings);
  const Index order = 2 * system.coordinates() + system.rank() + std::max(system.inputs(), system.outputs());
  if (!options.near && order > options.largest_dense) refuse_size(order, options.largest_dense);
  Zeros found = options.near ? zeros_near(system, reactions, options)
                             : zeros_by_deflation(system_pencil(system, reactions), options.progress);
  found.certified = found.reasons.empty();
  found.warnings = warnings;
  return found;
}

}  // namespace stillpoint
