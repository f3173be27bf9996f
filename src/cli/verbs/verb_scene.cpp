#include <fmt/format.h>

#include <algorithm>

#include "base/whole_file.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "stillpoint/error.h"
#include "stillpoint/scene.h"

namespace stillpoint::cli {

namespace {

struct SceneArguments : ModeOptions {
  Index modes = 10;
  std::optional<Index> mode;
  std::string gltf;
  double amplitude = ModeMotionOptions().amplitude;
};

std::vector<ShapeToDraw> shapes_of(const SceneArguments& options, const AnalysisCase& analysis,
                                   ProgressLine& progress) {
  const Index most = std::max(options.modes, options.mode.value_or(0));
  if (most == 0) return {};
  AnalysisOptions how;
  how.modes.which = Lowest{most};
  how.modes.spurious = false;
  how.modes.progress = progress.sink();
  const ModesReport report = report_modes(analysis, Method::mcs, how);
  if (report.branches.empty()) return shapes_to_draw(report.result.spectrum.modes, most);
  std::vector<ShapeToDraw> shapes;
  for (const BranchReport& branch : report.branches) {
    const auto of_branch = shapes_to_draw(branch.spectrum.modes, most, branch.name);
    shapes.insert(shapes.end(), of_branch.begin(), of_branch.end());
  }
  return shapes;
}

const ModeMotion* motion_asked_for(const SceneArguments& options, const Scene& scene) {
  if (!options.mode) return scene.motions.empty() || scene.motions[0].degree == 0 ? nullptr : &scene.motions[0];
  for (const ModeMotion& motion : scene.motions) {
    if (motion.mode != *options.mode) continue;
    if (motion.degree == 0) throw Error(fmt::format("--mode {}: {}", *options.mode, motion.why_not));
    return &motion;
  }
  throw Error(fmt::format("--mode {}: the mechanism has {} modes", *options.mode, scene.motions.size()));
}

void run(const SceneArguments& options) {
  const AnalysisCase analysis = load_analysis(options);
  if (!analysis.model)
    throw Error(fmt::format("{}: a folder of matrices has no mechanism that could be drawn", options.path));
  ProgressLine progress(!options.quiet);
  const std::vector<ShapeToDraw> shapes = shapes_of(options, analysis, progress);
  progress.clear();
  Scene scene = scene_of(*analysis.model, analysis.rest->state);
  ModeMotionOptions motion;
  motion.amplitude = options.amplitude;
  scene.motions = mode_motions(scene, *analysis.model, *analysis.rest, shapes, motion);
  if (!options.gltf.empty()) write_whole_file(options.gltf, to_gltf(scene, motion_asked_for(options, scene)));
  if (options.gltf.empty() || options.json) deliver(options, options.json ? to_json(scene) : to_text(scene));
  else if (!options.quiet) print_message("wrote " + options.gltf);
  warn(options, analysis.rest->warnings);
}

}  // namespace

void add_scene(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("scene", "the geometry of a mechanism and the motions of its modes");
  verb->description(
      "Examples:\n"
      "  stillpoint scene cases/crank_rocker\n"
      "  stillpoint scene cases/four_bar --set N=5 --json -o four_bar.json\n"
      "  stillpoint scene cases/spatial_double_pendulum --gltf pendulum.gltf --mode 3\n\n"
      "Tells what is drawn of a mechanism, and how it moves in its modes. For viewers and programs: bodies, joints,\n"
      "springs and forces at the equilibrium, and the motion of each mode along the constraints. --json writes the\n"
      "document stillpoint.scene/1, --gltf a file for Blender and other viewers in which one mode moves.");
  auto options = std::make_shared<SceneArguments>();
  add_model_options(*verb, *options);
  add_system_options(*verb, *options);
  verb->add_option("--modes", options->modes, "number of modes, the lowest first (default: 10)")
      ->group(group::which_modes)
      ->check(CLI::Range(0, 1000));
  verb->add_option("--gltf", options->gltf, "write a glTF 2.0 file, with one mode as an animation")
      ->group(group::output)
      ->type_name("FILE");
  verb->add_option("--mode", options->mode, "the mode that moves in the glTF file (default: 1)")
      ->group(group::output)
      ->check(CLI::Range(1, 1000));
  verb->add_option("--amplitude", options->amplitude,
                   "largest displacement in a mode, relative to the picture (default: 0.1)")
      ->group(group::output)
      ->check(CLI::Range(0.001, 1.0));
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
