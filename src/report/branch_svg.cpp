// The diagram of a branch of equilibria: a coordinate over the parameter, unstable parts dashed.
#include <fmt/format.h>

#include <vector>

#include "formats/plot.h"
#include "stillpoint/continuation.h"
#include "stillpoint/error.h"
#include "stillpoint/operating_point.h"

namespace stillpoint {

namespace {

bool is_stable_sample(const EquilibriumSample& sample) {
  return sample.verdict.stability != Stability::unstable && sample.verdict.stability != Stability::growing;
}

Index coordinate_with(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (Index i = 0; i < model.coordinates(); ++i) {
    known.push_back(model.coordinate_name(i));
    if (known.back() == name) return i;
  }
  throw Error(fmt::format("there is no coordinate '{}'{}", name, did_you_mean(name, known)));
}

/// A piece of the branch between two samples, in the style of its stability.
void add_piece(Svg& svg, const std::string& from, const std::string& to, bool is_stable) {
  svg.add(fmt::format("<line {} {} stroke=\"#0072b2\" stroke-width=\"1.8\"{}/>\n", from, to,
                      is_stable ? "" : " stroke-dasharray=\"4 3\""));
}

}  // namespace

std::string to_svg(const EquilibriumBranch& branch, const Model& model, const std::string& coordinate) {
  constexpr double panel = 420;
  if (branch.samples.size() < 2) throw Error("a diagram of equilibria needs two of them at least");
  const Index shown = coordinate_with(model, coordinate);
  const auto value = [&](const State& state) { return coordinate_value(model, state, shown); };
  Svg svg;
  const std::string title = fmt::format("{}: equilibria over {}", branch.model, branch.parameter);
  svg.text(plot::left, 26, plot::title_size, title);
  plot::Range across, upwards;
  std::vector<const EquilibriumBranch*> all{&branch};
  for (const EquilibriumBranch& other : branch.crossing) all.push_back(&other);
  for (const EquilibriumBranch* const one : all) {
    for (const EquilibriumSample& sample : one->samples) {
      across.take(sample.parameter);
      upwards.take(value(sample.state));
    }
  }
  across = across.opened();
  upwards = upwards.opened();
  const double top = plot::first_entry + plot::gap / 2;
  const plot::Axis y = plot::add_scale(svg, top, panel, upwards, plot::round_step(upwards, 8), coordinate);
  const plot::Axis x = plot::add_horizontal_scale(
      svg, {top}, panel, across, branch.parameter + (branch.unit.empty() ? "" : " (" + branch.unit + ")"));
  for (const EquilibriumBranch* const one : all) {
    for (std::size_t k = 0; k + 1 < one->samples.size(); ++k) {
      const EquilibriumSample &from = one->samples[k], &to = one->samples[k + 1];
      add_piece(svg, fmt::format("x1=\"{:.2f}\" y1=\"{:.2f}\"", x.place(from.parameter), y.place(value(from.state))),
                fmt::format("x2=\"{:.2f}\" y2=\"{:.2f}\"", x.place(to.parameter), y.place(value(to.state))),
                is_stable_sample(from) && is_stable_sample(to));
    }
  }
  for (const BranchEvent& event : branch.events) {
    const double at_x = x.place(event.parameter), at_y = y.place(value(event.state));
    svg.add(fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"{}\"/>\n", at_x, at_y,
                        event.kind == BranchEvent::Kind::fold ? "#d55e00" : "#009e73"));
    svg.text(at_x + 7, at_y - 6, plot::note_size, fmt::format("{} {:.6g}", to_words(event.kind), event.parameter));
  }
  svg.frame(plot::left, top, plot::width, panel);
  return svg.finish(plot::left + plot::width + plot::right, top + panel + plot::below, title);
}

}  // namespace stillpoint
