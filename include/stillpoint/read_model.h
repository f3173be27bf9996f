// Models from files: YAML (JSON is a subset), described in docs/model-files.md.
//
//   const Model model = read_model("cases/four_bar", {{"N", 20}});
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/model.h"

namespace stillpoint {

/// Values for parameters of a model file, instead of those it states.
using Parameters = std::vector<std::pair<std::string, double>>;

/// Whether a model file is about the plane or about space: what its key `dimension` says, 2 (if left out) or 3.
enum class Dimension { plane, space };

/// A kind of entry in the mechanism of a model file: a point, a body, a spring.
struct EntryType {
  enum class Stage { coordinates, markers, elements, outputs };  ///< in this order entries are carried out

  const ElementInfo* info = nullptr;
  Stage stage = Stage::elements;
  std::shared_ptr<void> (*make)() = nullptr;  ///< an entry with its defaults
  void (*add)(ModelBuilder& builder, const Name& name, const void* entry) = nullptr;
};

/// The entry that adds an element of type E.
template <class E>
EntryType element_type() {
  return {&E::info(), EntryType::Stage::elements, [] { return std::shared_ptr<void>(std::make_shared<E>()); },
          [](ModelBuilder& builder, const Name& name, const void* entry) {
            builder.add(name, *static_cast<const E*>(entry));
          }};
}

/// All kinds of entries that model files know, in the order of the manual.
const std::vector<EntryType>& entry_types(Dimension dimension = Dimension::plane);

struct ReadOptions {
  std::vector<EntryType> more_types;       ///< the caller's own elements
  std::int64_t most_things = 200'000'000;  ///< coordinates' owners, markers and elements that repetition may make
};

/// Reads a model file, or model.yaml in a folder. Throws Error with file, line and column.
Model read_model(const std::string& path, const Parameters& parameters = {}, const ReadOptions& options = {});

/// The same from text; `file` is only named in errors.
Model read_model_text(const std::string& text, const std::string& file, const Parameters& parameters = {},
                      const ReadOptions& options = {});

/// The JSON Schema of model files, for editors.
std::string model_schema();

/// The reference of model files in Markdown, from the same tables (docs/model-files.md).
std::string model_manual();

/// A small commented model to start from.
std::string starter_model();

}  // namespace stillpoint
