#include <fmt/format.h>

#include <filesystem>

#include "base/whole_file.h"
#include "cli/verbs.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

void make_folder(const std::string& folder) {
  const std::filesystem::path file = std::filesystem::path(folder) / "model.yaml";
  std::error_code failed;
  if (std::filesystem::exists(file, failed))
    throw Error({file.string(), 0, 0}, "is there already and is left as it is");
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error({folder, 0, 0}, "cannot be created: " + failed.message());
  write_whole_file(file.string(), starter_model());
  print_message(fmt::format("wrote {0}; next: stillpoint check {1}", file.string(), folder));
}

}  // namespace

void add_new(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("new", "a commented starter model");
  verb->description(
      "Examples:\n"
      "  stillpoint new my_mechanism          makes my_mechanism/model.yaml\n"
      "  stillpoint new > model.yaml\n\n"
      "A small commented model to start from.");
  auto folder = std::make_shared<std::string>();
  verb->add_option("FOLDER", *folder, "folder to create; without it the model is printed");
  verb->callback([folder] {
    if (folder->empty()) deliver({}, starter_model());
    else make_folder(*folder);
  });
}

}  // namespace stillpoint::cli
