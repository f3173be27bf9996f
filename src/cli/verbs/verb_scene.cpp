#include <fmt/format.h>

#include <algorithm>

#include "base/usual_requests.h"
#include "base/whole_file.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "report/shapes_of_modes.h"
#include "stillpoint/error.h"
#include "stillpoint/scene.h"

namespace stillpoint::cli {

namespace {

struct SceneArguments : ModeOptions {
  Index modes = usual::drawn_modes;
  std::optional<Index> mode;
  std::string gltf;
  double amplitude = ModeMotionOptions().amplitude;
};

void run(const SceneArguments& options) {
  const AnalysisCase analysis = load_system(options);
  if (!analysis.model)
    throw Error(fmt::format("{}: a folder of matrices has no mechanism that could be drawn", options.path));
  ProgressLine progress(!options.quiet);
  const std::vector<ShapeToDraw> shapes =
      shapes_of_modes(analysis, std::max(options.modes, options.mode.value_or(0)), progress.sink());
  progress.clear();
  Scene scene = scene_of(*analysis.model, analysis.rest->state);
  ModeMotionOptions motion;
  motion.amplitude = options.amplitude;
  scene.motions = mode_motions(scene, *analysis.model, *analysis.rest, shapes, motion);
  if (!options.gltf.empty())
    write_whole_file(options.gltf, to_gltf(scene, motion_of_mode(scene, options.mode, "--mode ")));
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
