#include "cli/plant_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "cli/number_checks.h"
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

/// The first that has both words; each of them may be missing.
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
                                                  {"krylov", Reduction::krylov}};

const std::map<std::string, Importance> importances{{"frequency", Importance::frequency},
                                                    {"participation", Importance::participation},
                                                    {"gramian", Importance::gramian}};

// An option that does nothing would be taken for one that does.
void require_its_reduction(const PlantFormOptions& options) {
  const auto require = [&](bool is_given, const char* option, const char* reduction) {
    if (!is_given || options.reduce == reduction) return;
    throw Error(fmt::format("{} belongs to --reduce {}", option, reduction));
  };
  require(!options.keep.empty(), "--keep", "modal");
  require(!options.boundary.empty(), "--boundary", "craig-bampton");
  require(!options.match.empty(), "--match", "krylov");
  if (options.order > 0 && options.reduce.empty()) throw Error("--order belongs to --reduce, which says how");
}

void require_its_correction(const PlantFormOptions& options) {
  if (options.corrected && options.method != "ucs")
    throw Error("--corrected belongs to --method ucs: the other methods have nothing to correct");
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
  verb.add_option("--form", options.form, "state-space (of mcs and ucs), second-order, modal (mcs), descriptor (rcs)")
      ->check(CLI::IsMember({"state-space", "second-order", "modal", "descriptor"}));
  verb.add_option("--method", options.method, "mcs: minimal coordinates; rcs: with multipliers; ucs: penalty")
      ->check(CLI::IsMember({"mcs", "rcs", "ucs"}));
  add_basis_options(verb, options);
  add_penalty_options(verb, options);
  verb.add_flag("--corrected", options.corrected, "UCS: without what the penalty's constraints give way");
  verb.add_option("--reduce", options.reduce, "to a smaller state space: modal, balanced, craig-bampton or krylov")
      ->check(CLI::IsMember({"modal", "balanced", "craig-bampton", "krylov"}));
  verb.add_option("--order", options.order, "states after it, at most (20; balanced: as its error bound asks for)")
      ->check(above_zero());
  verb.add_option("--keep", options.keep,
                  "modal: the slowest modes, those that a blow moves most, or those that matter most")
      ->check(CLI::IsMember({"frequency", "participation", "gramian"}));
  verb.add_option("--boundary", options.boundary, "craig-bampton: coordinates held (those of in- and outputs)")
      ->type_name("NAME,...");
  verb.add_option("--match", options.match, "krylov: frequencies (Hz) at which the response stays exact")
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

Plant make_plant(const PlantFormOptions& options, const LinearSystem& system, const ReportOptions& how,
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
