#include "cli/plant_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "cli/number_checks.h"
#include "cli/option_groups.h"
#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/modes.h"
#include "stillpoint/reduce.h"

namespace stillpoint::cli {

namespace {

struct FormWord {
  const char* form;
  const char* method;
};
constexpr std::array<FormWord, 5> forms{
    {{"state-space", "mcs"}, {"second-order", "mcs"}, {"modal", "mcs"}, {"descriptor", "rcs"}, {"state-space", "ucs"}}};

/// Returns the first entry that has both words. A word that is not given matches every entry.
FormWord form_of(const PlantFormOptions& options) {
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const FormWord& word) {
    return (options.form.empty() || options.form == word.form) &&
           (options.method.empty() || options.method == word.method);
  });
  if (found != forms.end()) return *found;
  throw Error(
      fmt::format("--form {} is not made by --method {}: mcs gives state-space, second-order and modal, rcs gives "
                  "descriptor, and ucs gives state-space",
                  options.form, options.method));
}

const std::map<std::string, Reduction> reductions{{"modal", Reduction::modal},
                                                  {"balanced", Reduction::balanced},
                                                  {"craig-bampton", Reduction::craig_bampton},
                                                  {"krylov", Reduction::krylov},
                                                  {"minimal", Reduction::minimal}};

const std::map<std::string, Importance> importances{{"frequency", Importance::frequency},
                                                    {"participation", Importance::participation},
                                                    {"gramian", Importance::gramian}};

// An option without effect is an error, because the user expects an effect.
void require_its_reduction(const PlantFormOptions& options) {
  const auto require = [&](bool is_given, const char* option, const char* reduction) {
    if (!is_given || options.reduce == reduction) return;
    throw Error(fmt::format("{} belongs to --reduce {}", option, reduction));
  };
  require(!options.keep.empty(), "--keep", "modal");
  require(!options.boundary.empty(), "--boundary", "craig-bampton");
  require(!options.match.empty(), "--match", "krylov");
  if (options.order > 0 && options.reduce.empty())
    throw Error("--order belongs to --reduce, which names the reduction");
}

void require_its_correction(const PlantFormOptions& options) {
  if (options.corrected && options.method != "ucs")
    throw Error("--corrected belongs to --method ucs: the other methods have no compliance to correct");
}

ReduceOptions reduce_options(const PlantFormOptions& options, const PlantOptions& making) {
  ReduceOptions how;
  how.method = reductions.at(options.reduce);
  how.order = options.order;
  if (!options.keep.empty()) how.keep = importances.at(options.keep);
  if (!options.boundary.empty()) how.boundary = split_names(options.boundary);
  how.frequencies.resize(std::ssize(options.match));
  std::transform(options.match.begin(), options.match.end(), how.frequencies.begin(),
                 [](double hertz) { return 2 * std::numbers::pi * hertz; });
  how.plant = making;
  return how;
}

}  // namespace

void add_plant_options(CLI::App& verb, PlantFormOptions& options) {
  verb.add_option("--form", options.form,
                  "form of the equations: state-space (mcs, ucs), second-order (mcs), modal (mcs), "
                  "descriptor (rcs)")
      ->group(group::method)
      ->check(CLI::IsMember({"state-space", "second-order", "modal", "descriptor"}));
  verb.add_option("--method", options.method,
                  "mcs: minimal coordinates; rcs: redundant coordinates with multipliers; ucs: penalty")
      ->group(group::method)
      ->check(CLI::IsMember({"mcs", "rcs", "ucs"}));
  add_basis_options(verb, options);
  add_penalty_options(verb, options);
  verb.add_flag("--corrected", options.corrected,
                "UCS: iterate the multipliers until the constraints have no compliance")
      ->group(group::method);
  verb.add_option("--reduce", options.reduce,
                  "reduce to a smaller state space by modal truncation, balanced truncation, "
                  "the Craig-Bampton method, or Krylov moment matching; minimal: leave out what no input moves or no "
                  "output shows")
      ->group(group::reduction)
      ->check(CLI::IsMember({"modal", "balanced", "craig-bampton", "krylov", "minimal"}));
  verb.add_option("--order", options.order,
                  "largest number of states of the reduced model (default: 20; for balanced "
                  "the number that its error bound requires)")
      ->group(group::reduction)
      ->check(above_zero());
  verb.add_option("--keep", options.keep,
                  "modal: keep the modes of lowest frequency, of largest participation in the impulse "
                  "response, or of largest Hankel singular value (gramian)")
      ->group(group::reduction)
      ->check(CLI::IsMember({"frequency", "participation", "gramian"}));
  verb.add_option("--boundary", options.boundary,
                  "craig-bampton: boundary coordinates (default: those of inputs and outputs)")
      ->group(group::reduction)
      ->type_name("NAME,...");
  verb.add_option("--match", options.match,
                  "krylov: frequencies (Hz) at which the response is matched exactly "
                  "(default: four among the lowest modes)")
      ->group(group::reduction)
      ->type_name("HZ,...")
      ->delimiter(',')
      ->check(zero_or_above());
}

void require_one_form(const PlantFormOptions& options) {
  const FormWord word = form_of(options);
  require_its_reduction(options);
  require_its_correction(options);
  require_its_method(options, word.method);
  if (options.reduce.empty() || (word.form == std::string_view("state-space") && options.method != "ucs")) return;
  throw Error(fmt::format("--reduce {} makes a state space of the minimal form: leave out --form and --method",
                          options.reduce));
}

Plant make_plant(const PlantFormOptions& options, const LinearSystem& system, const AnalysisOptions& how,
                 const Spectrum* modes) {
  const FormWord word = form_of(options);
  const std::string_view form = word.form, method = word.method;
  const PlantOptions making{.minimal = how.minimal, .minimum_norm_reactions = options.minimum_norm, .modes = modes};
  if (!options.reduce.empty()) return reduce(system, reduce_options(options, making)).plant;
  if (method == "ucs" && options.corrected) return corrected_penalty(system, how.penalty, making);
  if (method == "ucs") return explicit_penalty(system, how.penalty, making);
  if (form == "descriptor") return descriptor(system, making);
  if (form == "second-order") return second_order(system, making);
  return form == "modal" ? modal_form(system, making) : state_space(system, making);
}

}  // namespace stillpoint::cli
