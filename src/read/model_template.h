// A model file, compiled: what remains to be done for values of its parameters is to evaluate expressions and to add
// entries to a builder.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "read/reference.h"
#include "read/source_file.h"
#include "stillpoint/read_model.h"

namespace stillpoint {

/// Numbers of the head of a file, such as gravity.
struct NumbersTemplate {
  const Tree* source;
  std::string title;
  std::vector<Expression> numbers;
};

/// A parameter; the expressions use those above it.
struct ParameterTemplate {
  const Tree* source;   ///< position of its name
  const Tree* details;  ///< the mapping with its bounds, or null
  std::string name, title, unit, help;
  NumbersTemplate value;
  std::optional<NumbersTemplate> least, most;
  bool is_integer = false;
};

struct FieldTemplate {
  const Field* field;
  const Tree* source;
  std::vector<Expression> numbers;
  std::vector<Reference> references;
  std::string text;  ///< for a path or a text
};

struct EntryTemplate {
  const EntryType* type;
  const Tree* source;  ///< position of its name
  NameTemplate name;
  std::vector<FieldTemplate> fields;
  std::shared_ptr<void> entry;  ///< filled and added in each round of a repetition
};

/// The order in which entries are added.
constexpr std::array stages{EntryType::Stage::coordinates, EntryType::Stage::markers, EntryType::Stage::elements,
                            EntryType::Stage::outputs};

struct LoopTemplate;
using Template = std::variant<EntryTemplate, std::unique_ptr<LoopTemplate>>;
using Templates = std::vector<Template>;

struct LoopTemplate {
  const Tree* source;
  Scope::Variable* variable;
  Expression first, last;
  Templates body;
  std::array<bool, stages.size()> has{};  ///< tells for each stage whether it has entries inside
};

/// Entries with numbers that depend on some parameters, in the order in which they are added: a repetition with those
/// inside it, or one entry with these fields of it.
struct UpdateStep {
  const LoopTemplate* loop = nullptr;
  std::vector<UpdateStep> body{};
  const EntryTemplate* entry = nullptr;
  std::vector<const FieldTemplate*> fields{};
};

/// How a model for other values of some parameters is made from one that is there: by other numbers of its elements.
struct ModelUpdate {
  std::vector<bool> varied;    ///< the parameters, of all of the file
  std::vector<double> values;  ///< of all parameters, where the model is there
  bool is_possible = true;     ///< false if something else than numbers of elements depends on them
  std::vector<UpdateStep> steps{};
  std::vector<std::pair<std::size_t, Index>> elements{};  ///< array and index for each entry of each round
  std::optional<Model> model{};
};

/// It is not copied, for expressions point to its scope, and one thread at a time can expand it.
struct ModelTemplate {
  explicit ModelTemplate(const std::string& file_name) : file(file_name) {}
  ModelTemplate(const ModelTemplate&) = delete;
  ModelTemplate& operator=(const ModelTemplate&) = delete;

  SourceFile file;
  std::string name;
  Dimension dimension = Dimension::plane;
  std::vector<EntryType> types;
  Scope scope;
  std::vector<std::unique_ptr<Scope::Variable>>
      kept;  ///< loop variables out of scope, to which expressions still point
  std::vector<ParameterTemplate> parameters;
  std::optional<NumbersTemplate> gravity, angular_velocity;
  Templates mechanism;
  std::set<std::string> markers;  ///< the words of their names

  std::vector<double> last_values{};  ///< of the parameters in the last expansion; empty before the first one
  std::optional<ModelUpdate> update{};
};

/// The text before the first bracket: "P" for "P[i-1]" and for "P(0, 1)".
inline std::string word_before_bracket(const std::string& name) {
  return trimmed(name.substr(0, name.find_first_of("[(")));
}

}  // namespace stillpoint
