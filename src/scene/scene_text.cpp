// A scene as text: counts, and a line for each motion.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "stillpoint/scene.h"

namespace stillpoint {

namespace {

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "2 revolute, 1 spring"
std::string kinds_of(const Scene& scene) {
  std::map<std::string, std::size_t> kinds;
  for (const SceneElement& element : scene.elements) ++kinds[element.kind];
  std::string text;
  for (const auto& [kind, count] : kinds) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text;
}

std::string motion_line(const ModeMotion& motion) {
  const std::string name = motion.mode > 0 ? fmt::format("mode {}", motion.mode) : std::string("tangent");
  if (motion.degree == 0) return fmt::format("  {:<9} does not move: {}\n", name, motion.why_not);
  std::string line =
      fmt::format("  {:<9} {:>12.5g} {:>+12.5g} i   {:>8.3g} m   {:>6}   {:>8.1e}   {:>8.1e}\n", name, motion.s.real(),
                  motion.s.imag(), motion.amplitude, motion.degree, motion.error, motion.gap);
  if (!motion.branch.empty()) line += fmt::format("            on the branch: {}\n", motion.branch);
  if (!motion.note.empty()) line += fmt::format("            {}\n", motion.note);
  return line;
}

}  // namespace

std::string to_text(const Scene& scene) {
  std::string text = fmt::format("{}: {} in {}, {:.4g} m across\n", scene.name, counted(scene.frames.size(), "frame"),
                                 scene.dimension == 2 ? "the plane" : "space", scene.size);
  text += fmt::format("  {}: {}\n", counted(scene.elements.size(), "element"), kinds_of(scene));
  text += fmt::format("  {} of bodies\n", counted(scene.primitives.size(), "shape"));
  if (scene.motions.empty()) return text;
  text += "\n  motion    eigenvalue (1/s)              amplitude   degree   drawn to   open by   (of the size)\n";
  for (const ModeMotion& motion : scene.motions) text += motion_line(motion);
  return text;
}

}  // namespace stillpoint
