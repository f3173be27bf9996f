#include "studies/channel_rates.h"

#include <array>

#include "stillpoint/assembly.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/outputs.h"
#include "studies/differentiator.h"
#include "studies/line_of_models.h"

namespace stillpoint {

namespace {

using ChannelMatrix = SparseMatrix LinearSystem::*;
constexpr std::array<ChannelMatrix, 7> channel_matrices{&LinearSystem::F,  &LinearSystem::G,  &LinearSystem::Hq,
                                                        &LinearSystem::Hv, &LinearSystem::Ha, &LinearSystem::Hl,
                                                        &LinearSystem::Hu};

Sample channels_at(const Model& model, const State& state) {
  Assembly assembly(model);
  const Matrices& at = assembly.at(state);
  const OutputValues outputs = observe(model, state);
  return {{}, {at.F, at.G, outputs.Hq, outputs.Hv, outputs.Ha, outputs.Hl, outputs.Hu}};
}

// A system of these names and sizes whose matrices are zero.
LinearSystem without_entries(const LinearSystem& system) {
  LinearSystem empty;
  empty.name = system.name;
  for (SparseMatrix LinearSystem::*const matrix : {&LinearSystem::M, &LinearSystem::C, &LinearSystem::K})
    (empty.*matrix).resize(system.coordinates(), system.coordinates());
  empty.J.resize(system.constraints(), system.coordinates());
  for (const ChannelMatrix matrix : channel_matrices)
    (empty.*matrix).resize((system.*matrix).rows(), (system.*matrix).cols());
  empty.coordinate_name = system.coordinate_name;
  empty.constraint_name = system.constraint_name;
  empty.input_name = system.input_name;
  empty.output_name = system.output_name;
  empty.coordinate_unit = system.coordinate_unit;
  empty.input_unit = system.input_unit;
  empty.output_unit = system.output_unit;
  empty.q = system.q;
  empty.lambda = system.lambda;
  empty.u = system.u;
  empty.y = system.y;
  return empty;
}

}  // namespace

DifferentiatedChannels::DifferentiatedChannels(const LinearSystem& system, const Variation& variation,
                                               const Equilibrium& rest, const SystemRates& of_system)
    : rates_(without_entries(system)), errors_(rates_), zero_(rates_) {
  if (system.inputs() == 0 && system.outputs() == 0) return;
  LineOfModels line(variation, variation.model_at(variation.value), rest.state);
  Differentiator differentiator(variation, RatesDigits::all);
  const auto total = [&](double t) { return channels_at(line.at(t), line.state(t, of_system.q, of_system.lambda)); };
  const Derivative found = differentiator.derivative(total, channels_at(line.here(), rest.state));
  for (std::size_t k = 0; k < channel_matrices.size(); ++k) {
    rates_.*channel_matrices[k] = found.rate.matrices[k];
    errors_.*channel_matrices[k] = found.error.matrices[k];
  }
}

// with_channels() is affine in these matrices: it chooses from them, and adds ones for coordinates.
ChannelRates DifferentiatedChannels::between(const std::string& input, const std::string& output) const {
  const LinearSystem constant = with_channels(zero_, {input}, {output});
  ChannelRates chosen{with_channels(rates_, {input}, {output}), with_channels(errors_, {input}, {output})};
  for (const ChannelMatrix matrix : channel_matrices) {
    chosen.rate.*matrix = SparseMatrix(chosen.rate.*matrix - constant.*matrix).pruned(0, 0);
    chosen.error.*matrix = SparseMatrix(chosen.error.*matrix - constant.*matrix).pruned(0, 0);
  }
  return chosen;
}

}  // namespace stillpoint
