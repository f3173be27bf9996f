#include "cli/option_names.h"

#include <string_view>
#include <utility>

namespace stillpoint::cli {

namespace {

constexpr std::pair<std::string_view, std::string_view> flags[] = {
    // The operating point
    {"option 'rest'", "--rest"},
    {"option 'held'", "--at"},
    {"option 'rank'", "--rank"},
    {"option 'precision'", "--precision"},
    {"option 'off_equilibrium'", "--off-equilibrium"},
    {"option 'open'", "--open"},
    {"option 'starts'", "--starts"},
    {"option 'seed'", "--seed"},
    {"option 'each_of_family'", "--each"},
    // Which modes
    {"option 'all'", "--all"},
    {"option 'count'", "--count"},
    {"option 'band'", "--band"},
    {"option 'near'", "--near"},
    {"option 'unstable'", "--unstable"},
    {"option 'least_damped'", "--least-damped"},
    // The method
    {"option 'engine'", "--engine"},
    {"option 'basis'", "--basis"},
    {"option 'independent'", "--independent"},
    {"option 'alpha'", "--alpha"},
    {"option 'xi'", "--xi"},
    {"option 'omega'", "--omega"},
    {"option 'memory'", "--memory"},
    {"method 'mcs'", "--method mcs"},
    {"method 'rcs'", "--method rcs"},
    {"method 'ucs'", "--method ucs"},
    {"option 'coherence'", "--coherence"},
    // Plants
    {"option 'inputs'", "--input"},
    {"option 'outputs'", "--output"},
    {"option 'minimum_norm_reactions'", "--minimum-norm"},
    {"option 'uncertified'", "--uncertified"},
    {"form 'state-space'", "--form state-space"},
    {"form 'second-order'", "--form second-order"},
    {"form 'modal'", "--form modal"},
    {"form 'descriptor'", "--form descriptor"},
    // Reduction
    {"option 'order'", "--order"},
    {"option 'keep'", "--keep"},
    {"option 'boundary'", "--boundary"},
    {"option 'frequencies'", "--match"},
    {"reduction 'modal'", "--reduce modal"},
    {"reduction 'balanced'", "--reduce balanced"},
    {"reduction 'craig-bampton'", "--reduce craig-bampton"},
    {"reduction 'krylov'", "--reduce krylov"},
};

}  // namespace

std::string with_flags(std::string text) {
  for (const auto& [phrase, flag] : flags) {
    for (auto at = text.find(phrase); at != std::string::npos; at = text.find(phrase, at + flag.size()))
      text.replace(at, phrase.size(), flag);
  }
  return text;
}

}  // namespace stillpoint::cli
