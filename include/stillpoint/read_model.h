// Reads models from files in YAML (JSON is a subset); docs/model-files.md describes the format.
//
//   const Model model = read_model("cases/four_bar", {{"N", 20}});
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/model.h"

namespace stillpoint {

/// Values of parameters of a model file that replace those stated in it.
using Parameters = std::vector<std::pair<std::string, double>>;

/// The dimension of a model file, from its key `dimension`: 2 (the default) or 3.
enum class Dimension { plane, space };

/// A kind of entry in the mechanism of a model file: a point, a body, a spring.
struct EntryType {
  enum class Stage { coordinates, markers, elements, outputs };  ///< entries are added in this order

  const ElementInfo* info = nullptr;
  Stage stage = Stage::elements;
  std::shared_ptr<void> (*make)() = nullptr;  ///< creates an entry with its defaults
  void (*add)(ModelBuilder& builder, const Name& name, const void* entry) = nullptr;
  bool is_element = false;  ///< the entry is one element, which is right if each of its fields is
};

/// An element whose fields may be right one by one and wrong together.
template <class E>
concept HasProblem = requires(const E& element) {
  element.problem();
};

/// The entry that adds an element of type E.
template <class E>
EntryType element_type() {
  return {&E::info(), EntryType::Stage::elements, [] { return std::shared_ptr<void>(std::make_shared<E>()); },
          [](ModelBuilder& builder, const Name& name, const void* entry) {
            builder.add(name, *static_cast<const E*>(entry));
          },
          !HasProblem<E>};
}

/// All kinds of entries of model files, in the order of the manual.
const std::vector<EntryType>& entry_types(Dimension dimension = Dimension::plane);

struct ReadOptions {
  std::vector<EntryType> more_types;  ///< the caller's own elements
  std::int64_t most_things =
      200'000'000;  ///< limit on owners of coordinates, markers and elements that repetitions may make
};

/// Reads a model file, or model.yaml in a folder. Throws Error with file, line and column.
Model read_model(const std::string& path, const Parameters& parameters = {}, const ReadOptions& options = {});

/// Reads a model from text; `file` only appears in error messages.
Model read_model_text(const std::string& text, const std::string& file, const Parameters& parameters = {},
                      const ReadOptions& options = {});

/// The JSON Schema of model files, for editors.
std::string model_schema();

/// The reference of model files in Markdown (docs/model-files.md), generated from the tables of the reader.
std::string model_manual();

/// A small commented model to start from.
std::string starter_model();

}  // namespace stillpoint
