#include "read/compile_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

#include "read/find_model_file.h"
#include "read/layout.h"

namespace stillpoint {

namespace {

class ModelCompiler {
 public:
  ModelCompiler(const std::string& file, const std::vector<EntryType>& more_types)
      : made_(std::make_unique<ModelTemplate>(file)), file_(made_->file), more_types_(more_types) {}

  std::unique_ptr<ModelTemplate> compile(const Tree& root) {
    compile_head(root);
    if (const Tree* const dimension = root.find("dimension")) read_dimension(*dimension);
    made_->types = entry_types(made_->dimension);
    made_->types.insert(made_->types.end(), more_types_.begin(), more_types_.end());
    if (const Tree* const parameters = root.find("parameters")) compile_parameters(*parameters);
    if (const Tree* const gravity = root.find("gravity")) made_->gravity = compile_gravity(*gravity);
    if (const Tree* const velocity = root.find("angular_velocity")) {
      made_->angular_velocity = compile_angular_velocity(*velocity);
    }
    made_->mechanism = compile(*root.find("mechanism"), "mechanism");
    if (const Tree* const controllers = root.find("controllers")) refuse_stream(*controllers);
    return std::move(made_);
  }

 private:
  void check_keys(const Tree& mapping, std::span<const Key> keys, const std::string& of_what) const {
    for (const TreeEntry& entry : mapping.entries) {
      const auto has_name = [&](const Key& key) { return key.key == entry.key.text; };
      if (std::any_of(keys.begin(), keys.end(), has_name)) continue;
      std::vector<std::string> known;
      for (const Key& key : keys) known.emplace_back(key.key);
      fail(entry.key, fmt::format("the key '{}' is unknown in {}{}; allowed are {}", entry.key.text, of_what,
                                  did_you_mean(entry.key.text, known), fmt::join(known, ", ")));
    }
    for (const Key& key : keys) {
      if (key.required && !mapping.find(key.key))
        fail(mapping, fmt::format("{} lacks '{}': {}", of_what, key.key, key.help));
    }
  }

  void require(const Tree& tree, Tree::Kind kind, const char* wanted, const std::string& of_what) const {
    file_.require(tree, kind, wanted, of_what);
  }

  [[noreturn]] void fail(const Tree& where, const std::string& message) const { file_.fail(where, message); }

  // --- head

  void compile_head(const Tree& root) {
    require(root, Tree::Kind::mapping, "a mapping of keys to values", "a model file");
    check_keys(root, file_keys, "a model file");
    const Tree& version = *root.find("stillpoint");
    if (version.text != "1") {
      fail(version, fmt::format("stillpoint is the version of the format and must be 1, not {}", describe(version)));
    }
    std::error_code failed;
    std::string name = std::filesystem::path(file_.name()).stem().string();
    if (name == "model") name = std::filesystem::absolute(file_.name(), failed).parent_path().filename().string();
    if (const Tree* const given = root.find("name")) {
      require(*given, Tree::Kind::text, "text", "name");
      name = given->text;
    }
    if (const Tree* const text = root.find("description")) require(*text, Tree::Kind::text, "text", "description");
    made_->name = name;
  }

  void read_dimension(const Tree& tree) {
    require(tree, Tree::Kind::text, "2 or 3", "dimension");
    if (tree.text != "2" && tree.text != "3") {
      fail(tree, fmt::format("dimension must be 2 (the plane) or 3 (space), not {}", describe(tree)));
    }
    made_->dimension = tree.text == "3" ? Dimension::space : Dimension::plane;
  }

  // Controllers are read after the mechanism; from a pipe they would be lost without a word.
  void refuse_stream(const Tree& controllers) const {
    if (is_stream(file_.name()))
      fail(controllers,
           "a model with controllers must be a file, for it is read twice; this one can be read only once");
  }

  // --- parameters

  NumbersTemplate compile_number(const Tree& tree, const std::string& title) const {
    require(tree, Tree::Kind::text, "a number or an expression", title);
    NumbersTemplate made{&tree, title, {}};
    file_.at(
        tree, [&] { made.numbers.emplace_back(tree.text, made_->scope); }, title);
    return made;
  }

  void compile_parameters(const Tree& tree) {
    require(tree, Tree::Kind::mapping, "a mapping of names to values", "parameters");
    std::map<std::string, const TreeEntry*> entries;
    for (const TreeEntry& entry : tree.entries) entries.emplace(entry.key.text, &entry);
    for (const TreeEntry& entry : tree.entries) {
      refuse_parameters_below(entries, entry);
      compile_parameter(entry);
    }
  }

  // Refuses a parameter that uses itself or a later one.
  void refuse_parameters_below(const std::map<std::string, const TreeEntry*>& entries, const TreeEntry& entry) const {
    const Tree* const value = entry.value.kind == Tree::Kind::mapping ? entry.value.find("value") : &entry.value;
    if (!value || value->kind != Tree::Kind::text) return;
    for (const std::string& word : words_in(value->text)) {
      const auto other = entries.find(word);
      if (other == entries.end() || made_->scope.variables().contains(word)) continue;
      fail(*value,
           fmt::format(
               "parameter '{}' uses {}; a parameter can only use those above it", entry.key.text,
               other->second == &entry ? "itself" : fmt::format("'{}' of line {}", word, other->second->key.line)));
    }
  }

  void compile_parameter(const TreeEntry& entry) {
    const std::string& name = entry.key.text;
    file_.at(entry.key, [&] {
      if (Name(name).rank > 0)
        throw Error(fmt::format("'{}' is not a name for a parameter; indices are not allowed", name));
      if (!made_->scope.is_free(name))
        throw Error(fmt::format("'{}' is a function or constant of expressions and cannot be a parameter", name));
    });
    const std::string title = fmt::format("parameter '{}'", name);
    const Tree* const details = entry.value.kind == Tree::Kind::mapping ? &entry.value : nullptr;
    if (details) check_keys(*details, parameter_keys, title);
    ParameterTemplate made{&entry.key, details, name, title, {}, {}, {}, {}, {}, false};
    made.value = compile_number(details ? *details->find("value") : entry.value, title);
    if (details) compile_details(*details, made);
    made_->scope.define(name, 0);  // its value comes later
    made_->parameters.push_back(std::move(made));
  }

  void compile_details(const Tree& details, ParameterTemplate& made) const {
    const Tree* const integer = details.find("integer");
    if (integer && integer->text != "true" && integer->text != "false") {
      fail(*integer, fmt::format("integer of {} is {}; it must be true or false", made.title, describe(*integer)));
    }
    made.is_integer = integer && integer->text == "true";
    if (const Tree* const least = details.find("min")) made.least = compile_number(*least, "min of " + made.title);
    if (const Tree* const most = details.find("max")) made.most = compile_number(*most, "max of " + made.title);
    for (const auto& [key, text] : {std::pair{"unit", &made.unit}, std::pair{"help", &made.help}}) {
      const Tree* const given = details.find(key);
      if (!given) continue;
      require(*given, Tree::Kind::text, "text", key + (" of " + made.title));
      *text = given->text;
    }
  }

  // --- gravity and rotation

  NumbersTemplate compile_gravity(const Tree& tree) const {
    NumbersTemplate made{&tree, "gravity", expressions_of(tree, "gravity")};
    const std::size_t count = made.numbers.size();
    if (count != (is_in_space() ? 3 : 2)) {
      fail(tree, fmt::format("gravity has {}; it needs {}{}", counted(count), is_in_space() ? "3: x, y, z" : "2: x, y",
                             count == 3 ? hint_at_space() : ""));
    }
    return made;
  }

  NumbersTemplate compile_angular_velocity(const Tree& tree) const {
    NumbersTemplate made{&tree, "angular_velocity", expressions_of(tree, "angular_velocity")};
    const std::size_t count = made.numbers.size();
    if (count != (is_in_space() ? 3 : 1)) {
      fail(tree, fmt::format("angular_velocity has {}; it needs {}{}", counted(count),
                             is_in_space() ? "3: x, y, z" : "1", count == 3 ? hint_at_space() : ""));
    }
    return made;
  }

  bool is_in_space() const { return made_->dimension == Dimension::space; }

  // Three values in the plane suggest that the key for space was forgotten.
  std::string hint_at_space() const { return !is_in_space() ? " (in space write 'dimension: 3')" : ""; }

  static std::string counted(std::size_t values) { return fmt::format("{} value{}", values, values == 1 ? "" : "s"); }

  // --- mechanism

  std::vector<Expression> expressions_of(const Tree& tree, const std::string& of_what) const {
    std::vector<Expression> made;
    for (const std::string& part : file_.parts_of(tree, of_what)) {
      file_.at(
          tree, [&] { made.emplace_back(part, made_->scope); }, of_what);
    }
    return made;
  }

  Templates compile(const Tree& list, const std::string& key) {
    require(list, Tree::Kind::list, "a list of entries, each with a '-'", key);
    Templates made;
    for (const Tree& item : list.items) {
      if (item.kind != Tree::Kind::mapping || item.entries.empty()) {
        fail(item, fmt::format("an entry must be a mapping such as 'point: P', not {}", describe(item)));
      }
      if (item.find("for")) made.push_back(compile_loop(item));
      else made.push_back(compile_entry(item));
    }
    return made;
  }

  std::unique_ptr<LoopTemplate> compile_loop(const Tree& item) {
    check_keys(item, loop_keys, "a repetition");
    const Tree& range = *item.find("for");
    require(range, Tree::Kind::text, "text such as 'i in 1..N'", "for");
    const std::size_t in = range.text.find(" in "), dots = range.text.find("..");
    if (in == std::string::npos || dots == std::string::npos || dots < in) {
      fail(range, fmt::format("'{}' is not a range; it must be like 'i in 1..N'", range.text));
    }
    const std::string name = trimmed(range.text.substr(0, in));
    file_.at(range, [&] {
      if (Name(name).rank > 0)
        throw Error(fmt::format("'{}' is not a name for a loop variable; indices are not allowed", name));
      if (!made_->scope.is_free(name))
        throw Error(fmt::format("'{}' is already a parameter, loop variable, function or constant", name));
    });
    const auto bound = [&](const std::string& text) {
      return file_.at(
          range, [&] { return Expression(text, made_->scope); }, fmt::format("the range '{}'", range.text));
    };
    Expression first = bound(trimmed(range.text.substr(in + 4, dots - in - 4)));
    Expression last = bound(trimmed(range.text.substr(dots + 2)));

    Scope::Variable& variable = made_->scope.define(name, 0, true);
    auto loop =
        std::make_unique<LoopTemplate>(LoopTemplate{&range, &variable, std::move(first), std::move(last), {}, {}});
    loop->body = compile(*item.find("do"), "do");
    if (loop->body.empty()) fail(*item.find("do"), "this repetition has nothing to repeat");
    for (const Template& inner : loop->body) {
      if (const auto* const entry = std::get_if<EntryTemplate>(&inner)) {
        loop->has[static_cast<std::size_t>(entry->type->stage)] = true;
      } else {
        const auto& deeper = *std::get<std::unique_ptr<LoopTemplate>>(inner);
        for (std::size_t s = 0; s < stages.size(); ++s) loop->has[s] = loop->has[s] || deeper.has[s];
      }
    }
    made_->kept.push_back(made_->scope.release(name));
    return loop;
  }

  const EntryType& type_of(const Tree& keyword) const {
    for (const EntryType& type : made_->types) {
      if (type.info->keyword == keyword.text) return type;
    }
    for (const EntryType& type : entry_types(other_world())) {
      if (type.info->keyword != keyword.text) continue;
      fail(keyword, fmt::format("'{}' exists only {}", keyword.text,
                                is_in_space() ? "in the plane (dimension: 2)" : "in space (dimension: 3)"));
    }
    std::vector<std::string> known;
    for (const EntryType& type : made_->types) known.emplace_back(type.info->keyword);
    known.emplace_back("for");
    fail(keyword, fmt::format("an entry cannot start with '{}'{}; allowed are {}", keyword.text,
                              did_you_mean(keyword.text, known), fmt::join(known, ", ")));
  }

  EntryTemplate compile_entry(const Tree& item) {
    const Tree& keyword = item.entries.front().key;
    const Tree& name = item.entries.front().value;
    const EntryType& type = type_of(keyword);
    const ElementInfo& info = *type.info;
    if (name.kind != Tree::Kind::empty)
      require(name, Tree::Kind::text, "text", "the name of " + describe(info.keyword, {}));
    EntryTemplate entry{
        &type, &name, file_.at(name, [&] { return NameTemplate(name.text, made_->scope); }), {}, type.make()};
    if (type.stage == EntryType::Stage::markers) made_->markers.insert(word_before_bracket(name.text));

    const bool is_named = !name.text.empty();
    const std::string title = is_named ? fmt::format("{} '{}'", info.keyword, name.text) : describe(info.keyword, {});
    if (!is_named && type.stage != EntryType::Stage::elements) {
      fail(keyword, fmt::format("{0} needs a name, such as '{1}: A'", title, info.keyword));
    }
    for (std::size_t i = 1; i < item.entries.size(); ++i) {
      const auto& [key, value] = item.entries[i];
      entry.fields.push_back(compile_field(field_of(info, key, title), value, title));
    }
    const Tree* const preload = item.find("preload");
    const bool is_preloaded = preload && preload->text == "true";
    for (const Field& field : info.fields) {
      if (!field.required() || item.find(field.key) || (field.is_free_state && is_preloaded)) continue;
      fail(item, fmt::format("{} lacks '{}': {}{}", title, field.key, field.help,
                             field.unit.empty() ? "" : fmt::format(" ({})", field.unit)));
    }
    return entry;
  }

  const Field& field_of(const ElementInfo& info, const Tree& key, const std::string& title) const {
    if (const Field* const field = info.field_called(key.text)) return *field;
    std::vector<std::string> known;
    for (const Field& field : info.fields) known.emplace_back(field.key);
    fail(key, fmt::format("the key '{}' is unknown in {}{}; allowed are {}", key.text, title,
                          is_key_of_other_world(info, key.text) ? other_world_title() : did_you_mean(key.text, known),
                          fmt::join(known, ", ")));
  }

  // A hinge has an axis in space, but not in the plane.
  bool is_key_of_other_world(const ElementInfo& info, const std::string& key) const {
    for (const EntryType& type : entry_types(other_world())) {
      if (type.info->keyword != info.keyword) continue;
      const std::vector<Field>& fields = type.info->fields;
      return std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
    }
    return false;
  }

  Dimension other_world() const { return !is_in_space() ? Dimension::space : Dimension::plane; }

  const char* other_world_title() const {
    return !is_in_space() ? " (it exists only in space, dimension: 3)" : " (it exists only in the plane, dimension: 2)";
  }

  FieldTemplate compile_field(const Field& field, const Tree& value, const std::string& title) const {
    FieldTemplate made{&field, &value, {}, {}, {}};
    const std::string of_what = fmt::format("'{}' of {}", field.key, title);
    if (value.kind == Tree::Kind::empty) fail(value, fmt::format("{} is empty: {}", of_what, field.help));
    std::size_t count = 0;
    if (field.kind == FieldKind::numbers) {
      made.numbers = expressions_of(value, of_what);
      count = made.numbers.size();
    } else if (field.kind == FieldKind::folder) {
      require(value, Tree::Kind::text, "a path", of_what);
      made.text = (std::filesystem::path(file_.name()).parent_path() / value.text).string();
      count = 1;
    } else if (field.kind == FieldKind::text) {
      require(value, Tree::Kind::text, "text", of_what);
      made.text = value.text;
      count = 1;
    } else if (field.kind == FieldKind::flag) {
      if (value.kind != Tree::Kind::text || (value.text != "true" && value.text != "false"))
        fail(value, fmt::format("{} must be true or false, not {}", of_what, describe(value)));
      made.text = value.text;
      count = 1;
    } else {
      for (const std::string& part : file_.parts_of(value, of_what)) {
        file_.at(
            value, [&] { made.references.emplace_back(part, field.kind, made_->scope); }, of_what);
      }
      count = made.references.size();
    }
    if (!field.accepts(count)) {
      const bool perhaps_in_space = field.kind == FieldKind::numbers && field.most == 2 && count == 3;
      fail(value, fmt::format("{} has {}; it needs {}: {}{}", of_what, counted(count), allowed_counts(field),
                              field.help, perhaps_in_space ? hint_at_space() : ""));
    }
    return made;
  }

  std::unique_ptr<ModelTemplate> made_;
  const SourceFile& file_;
  const std::vector<EntryType>& more_types_;
};

}  // namespace

std::unique_ptr<ModelTemplate> compile_model(const Tree& root, const std::string& file,
                                             const std::vector<EntryType>& more_types) {
  return ModelCompiler(file, more_types).compile(root);
}

}  // namespace stillpoint
