// The reader of model files: it compiles the YAML tree into templates and evaluates these stage by stage, in every
// round of a repetition, into a ModelBuilder.

#include "stillpoint/read_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <variant>

#include "base/read_text.h"
#include "read/layout.h"
#include "read/reference.h"
#include "read/tree.h"

namespace stillpoint {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// A mechanism as the file states it, compiled; the templates are evaluated in each round of a repetition.

struct FieldTemplate {
  const Field* field;
  const Tree* source;
  std::vector<Expression> numbers;
  std::vector<Reference> references;
  std::string text;  ///< for a path or a text
};

struct EntryTemplate {
  const EntryType* type;
  const Tree* source;  // position of its name
  NameTemplate name;
  std::vector<FieldTemplate> fields;
  std::shared_ptr<void> entry;  // filled and added in each round
};

// The order in which entries are added.
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
  std::array<bool, stages.size()> has{};  // tells for each stage whether it has entries inside
};

// The text before the first bracket: "P" for "P[i-1]" and for "P(0, 1)".
std::string word_of(const std::string& name) { return trimmed(name.substr(0, name.find_first_of("[("))); }

// ---------------------------------------------------------------------------------------------------------------------

class Reader {
 public:
  Reader(const std::string& file, const ReadOptions& options) : file_(file), options_(options) {}

  Model read(const Tree& root, const Parameters& parameters) {
    read_head(root);
    if (const Tree* const dimension = root.find("dimension")) read_dimension(*dimension);
    types_ = entry_types(dimension_);
    types_.insert(types_.end(), options_.more_types.begin(), options_.more_types.end());
    read_parameters(root.find("parameters"), parameters);
    if (const Tree* const gravity = root.find("gravity")) read_gravity(*gravity);
    if (const Tree* const velocity = root.find("angular_velocity")) read_angular_velocity(*velocity);
    const Templates mechanism = compile(*root.find("mechanism"), "mechanism");
    for (const EntryType::Stage stage : stages) carry_out(mechanism, stage);
    return builder_.model();
  }

 private:
  // --- errors

  [[noreturn]] void fail(const Tree& where, const std::string& message) const {
    throw Error({file_, where.line, where.column}, message);
  }

  // Runs an action, and adds the position in the file and the subject to its errors.
  template <class Action>
  auto at(const Tree& where, Action action, const std::string& of_what = "") const {
    try {
      return action();
    } catch (const Error& error) {
      fail(where, of_what.empty() ? error.message() : of_what + ": " + error.message());
    }
  }

  void check_keys(const Tree& mapping, std::span<const Key> keys, const std::string& of_what) const {
    std::vector<std::string> known;
    for (const Key& key : keys) known.emplace_back(key.key);
    for (const TreeEntry& entry : mapping.entries) {
      if (std::find(known.begin(), known.end(), entry.key.text) != known.end()) continue;
      fail(entry.key, fmt::format("the key '{}' is unknown in {}{}; allowed are {}", entry.key.text, of_what,
                                  did_you_mean(entry.key.text, known), fmt::join(known, ", ")));
    }
    for (const Key& key : keys) {
      if (key.required && !mapping.find(key.key))
        fail(mapping, fmt::format("{} lacks '{}': {}", of_what, key.key, key.help));
    }
  }

  void require(const Tree& tree, Tree::Kind kind, const char* wanted, const std::string& of_what) const {
    if (tree.kind != kind) fail(tree, fmt::format("{} must be {}, not {}", of_what, wanted, describe(tree)));
  }

  // --- head

  void read_head(const Tree& root) {
    require(root, Tree::Kind::mapping, "a mapping of keys to values", "a model file");
    check_keys(root, file_keys, "a model file");
    const Tree& version = *root.find("stillpoint");
    if (version.text != "1") {
      fail(version, fmt::format("stillpoint is the version of the format and must be 1, not {}", describe(version)));
    }
    std::error_code failed;
    std::string name = std::filesystem::path(file_).stem().string();
    if (name == "model") name = std::filesystem::absolute(file_, failed).parent_path().filename().string();
    if (const Tree* const given = root.find("name")) {
      require(*given, Tree::Kind::text, "text", "name");
      name = given->text;
    }
    if (const Tree* const text = root.find("description")) require(*text, Tree::Kind::text, "text", "description");
    builder_ = ModelBuilder(name);
  }

  double number(const Tree& tree, const std::string& of_what) const {
    require(tree, Tree::Kind::text, "a number or an expression", of_what);
    const double value = at(
        tree, [&] { return Expression(tree.text, scope_).value(); }, of_what);
    if (!std::isfinite(value)) fail(tree, fmt::format("{} is {}; it must be a finite number", of_what, show(value)));
    return value;
  }

  void read_parameters(const Tree* tree, const Parameters& given) {
    if (tree) {
      require(*tree, Tree::Kind::mapping, "a mapping of names to values", "parameters");
      std::map<std::string, const TreeEntry*> entries;
      for (const TreeEntry& entry : tree->entries) entries.emplace(entry.key.text, &entry);
      for (const TreeEntry& entry : tree->entries) {
        refuse_parameters_below(entries, entry);
        read_parameter(entry, given);
      }
    }
    for (const auto& [name, value] : given) {
      if (scope_.variables().contains(name)) continue;
      const std::string known =
          parameters_.empty() ? "the model has none" : fmt::format("there are {}", fmt::join(parameters_, ", "));
      throw Error({file_, 0, 0},
                  fmt::format("there is no parameter '{}'{}; {}", name, did_you_mean(name, parameters_), known));
    }
  }

  // Refuses a parameter that uses itself or a later one.
  void refuse_parameters_below(const std::map<std::string, const TreeEntry*>& entries, const TreeEntry& entry) const {
    const Tree* const value = entry.value.kind == Tree::Kind::mapping ? entry.value.find("value") : &entry.value;
    if (!value || value->kind != Tree::Kind::text) return;
    for (const std::string& word : words_in(value->text)) {
      const auto other = entries.find(word);
      if (other == entries.end() || scope_.variables().contains(word)) continue;
      fail(*value,
           fmt::format(
               "parameter '{}' uses {}; a parameter can only use those above it", entry.key.text,
               other->second == &entry ? "itself" : fmt::format("'{}' of line {}", word, other->second->key.line)));
    }
  }

  void read_parameter(const TreeEntry& entry, const Parameters& given) {
    const std::string& name = entry.key.text;
    at(entry.key, [&] {
      if (Name(name).rank > 0)
        throw Error(fmt::format("'{}' is not a name for a parameter; indices are not allowed", name));
      if (!scope_.is_free(name))
        throw Error(fmt::format("'{}' is a function or constant of expressions and cannot be a parameter", name));
    });
    const std::string title = fmt::format("parameter '{}'", name);
    const bool detailed = entry.value.kind == Tree::Kind::mapping;
    if (detailed) check_keys(entry.value, parameter_keys, title);

    double value = number(detailed ? *entry.value.find("value") : entry.value, title);
    for (const auto& [given_name, given_value] : given) {
      if (given_name == name) value = given_value;
    }
    if (!std::isfinite(value)) fail(entry.key, fmt::format("{} is {}; it must be a finite number", title, show(value)));
    if (detailed) check_range(entry.value, title, value);
    scope_.define(name, value);
    parameters_.push_back(name);
    builder_.parameter(name, value);
  }

  void check_range(const Tree& details, const std::string& title, double value) const {
    const Tree* const integer = details.find("integer");
    if (integer && integer->text != "true" && integer->text != "false") {
      fail(*integer, fmt::format("integer of {} is {}; it must be true or false", title, describe(*integer)));
    }
    if (integer && integer->text == "true" && value != std::floor(value)) {
      fail(details, fmt::format("{} is {}; it must be a whole number", title, value));
    }
    const Tree* const least = details.find("min");
    const Tree* const most = details.find("max");
    const double lower = least ? number(*least, "min of " + title) : value;
    const double upper = most ? number(*most, "max of " + title) : value;
    if (least && most && lower > upper) {
      fail(*least, fmt::format("min of {} is {} and max is {}; no value fits", title, lower, upper));
    }
    if (value < lower) fail(details, fmt::format("{} is {}; it must be at least {}", title, value, lower));
    if (value > upper) fail(details, fmt::format("{} is {}; it must be at most {}", title, value, upper));
    for (const char* const key : {"unit", "help"}) {
      if (const Tree* const text = details.find(key)) require(*text, Tree::Kind::text, "text", key + (" of " + title));
    }
  }

  void read_dimension(const Tree& tree) {
    require(tree, Tree::Kind::text, "2 or 3", "dimension");
    if (tree.text != "2" && tree.text != "3") {
      fail(tree, fmt::format("dimension must be 2 (the plane) or 3 (space), not {}", describe(tree)));
    }
    dimension_ = tree.text == "3" ? Dimension::space : Dimension::plane;
  }

  void read_gravity(const Tree& tree) {
    const auto numbers = expressions_of(tree, "gravity");
    const bool in_space = dimension_ == Dimension::space;
    if (numbers.size() != (in_space ? 3 : 2)) {
      fail(tree, fmt::format("gravity has {}; it needs {}{}", counted(numbers.size()),
                             in_space ? "3: x, y, z" : "2: x, y", numbers.size() == 3 ? hint_at_space() : ""));
    }
    at(tree, [&] { builder_.gravity({numbers[0].value(), numbers[1].value(), in_space ? numbers[2].value() : 0}); });
  }

  void read_angular_velocity(const Tree& tree) {
    const auto numbers = expressions_of(tree, "angular_velocity");
    const bool in_space = dimension_ == Dimension::space;
    if (numbers.size() != (in_space ? 3 : 1)) {
      fail(tree, fmt::format("angular_velocity has {}; it needs {}{}", counted(numbers.size()),
                             in_space ? "3: x, y, z" : "1", numbers.size() == 3 ? hint_at_space() : ""));
    }
    const double last = numbers.back().value();
    at(tree, [&] {
      builder_.angular_velocity(in_space ? Vec3<double>{numbers[0].value(), numbers[1].value(), last}
                                         : Vec3<double>{0, 0, last});
    });
  }

  // Three values in the plane suggest that the key for space was forgotten.
  std::string hint_at_space() const { return dimension_ == Dimension::plane ? " (in space write 'dimension: 3')" : ""; }

  static std::string counted(std::size_t values) { return fmt::format("{} value{}", values, values == 1 ? "" : "s"); }

  // --- compiling

  // The items of a YAML list, or of one text with commas.
  std::vector<std::string> parts_of(const Tree& tree, const std::string& of_what) const {
    if (tree.kind == Tree::Kind::text) return split_list(tree.text);
    require(tree, Tree::Kind::list, "text or a list", of_what);
    std::vector<std::string> parts;
    for (const Tree& item : tree.items) {
      require(item, Tree::Kind::text, "text", fmt::format("an item of {}", of_what));
      parts.push_back(item.text);
    }
    return parts;
  }

  std::vector<Expression> expressions_of(const Tree& tree, const std::string& of_what) const {
    std::vector<Expression> made;
    for (const std::string& part : parts_of(tree, of_what)) {
      at(
          tree, [&] { made.emplace_back(part, scope_); }, of_what);
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
    at(range, [&] {
      if (Name(name).rank > 0)
        throw Error(fmt::format("'{}' is not a name for a loop variable; indices are not allowed", name));
      if (!scope_.is_free(name))
        throw Error(fmt::format("'{}' is already a parameter, loop variable, function or constant", name));
    });
    const auto bound = [&](const std::string& text) {
      return at(
          range, [&] { return Expression(text, scope_); }, fmt::format("the range '{}'", range.text));
    };
    Expression first = bound(trimmed(range.text.substr(in + 4, dots - in - 4)));
    Expression last = bound(trimmed(range.text.substr(dots + 2)));

    Scope::Variable& variable = scope_.define(name, 0, true);
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
    kept_.push_back(scope_.release(name));
    return loop;
  }

  const EntryType& type_of(const Tree& keyword) const {
    std::vector<std::string> known;
    for (const EntryType& type : types_) {
      if (type.info->keyword == keyword.text) return type;
      known.emplace_back(type.info->keyword);
    }
    for (const EntryType& type : entry_types(other_world())) {
      if (type.info->keyword != keyword.text) continue;
      fail(keyword,
           fmt::format("'{}' exists only {}", keyword.text,
                       dimension_ == Dimension::plane ? "in space (dimension: 3)" : "in the plane (dimension: 2)"));
    }
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
    EntryTemplate entry{&type, &name, at(name, [&] { return NameTemplate(name.text, scope_); }), {}, type.make()};
    if (type.stage == EntryType::Stage::markers) markers_.insert(word_of(name.text));

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
    std::vector<std::string> known;
    for (const Field& field : info.fields) {
      if (field.key == key.text) return field;
      known.emplace_back(field.key);
    }
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

  Dimension other_world() const { return dimension_ == Dimension::plane ? Dimension::space : Dimension::plane; }

  const char* other_world_title() const {
    return dimension_ == Dimension::plane ? " (it exists only in space, dimension: 3)"
                                          : " (it exists only in the plane, dimension: 2)";
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
      made.text = (std::filesystem::path(file_).parent_path() / value.text).string();
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
      for (const std::string& part : parts_of(value, of_what)) {
        at(
            value, [&] { made.references.emplace_back(part, field.kind, scope_); }, of_what);
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

  // --- carrying out

  void carry_out(const Templates& templates, EntryType::Stage stage) {
    for (const Template& item : templates) {
      if (const auto* const entry = std::get_if<EntryTemplate>(&item)) {
        if (entry->type->stage == stage) carry_out(*entry);
      } else {
        const LoopTemplate& loop = *std::get<std::unique_ptr<LoopTemplate>>(item);
        if (loop.has[static_cast<std::size_t>(stage)]) carry_out(loop, stage);
      }
    }
  }

  void carry_out(const LoopTemplate& loop, EntryType::Stage stage) {
    const double first = bound(loop, loop.first), last = bound(loop, loop.last);
    if (last - first + 1 > static_cast<double>(options_.most_things)) {
      fail(*loop.source, fmt::format("'{}' repeats {:.4g} times; a model may have at most {} parts", loop.source->text,
                                     last - first + 1, options_.most_things));
    }
    const std::size_t depth = loops_.size();
    loops_.push_back(&loop);
    for (double i = first; i <= last; ++i) {
      loop.variable->value = i;
      const std::int64_t before = builder_.size();
      carry_out(loop.body, stage);
      if (builder_.size() == before && ++idle_rounds_ > options_.most_things) {
        fail(*loop.source, fmt::format("repetitions made no entry more than {} times", options_.most_things));
      }
    }
    loops_.resize(depth);
  }

  double bound(const LoopTemplate& loop, const Expression& expression) const {
    const double value = expression.value();
    if (!(std::abs(value) <= 1e15) || value != std::floor(value)) {
      fail(*loop.source, fmt::format("'{}' in the range '{}' is {}; it must be a whole number{}", expression.text(),
                                     loop.source->text, show(value), loop_state()));
    }
    return value;
  }

  void carry_out(const EntryTemplate& entry) {
    if (builder_.size() >= options_.most_things) {
      fail(*entry.source, fmt::format("the mechanism has more than {} parts", options_.most_things));
    }
    const Tree* where = entry.source;
    try {
      for (const FieldTemplate& field : entry.fields) {
        where = field.source;
        field.field->store(entry.entry.get(), evaluate(entry, field));
      }
      where = entry.source;
      entry.type->add(builder_, entry.name.name(), entry.entry.get());
    } catch (const FieldError& error) {
      for (const FieldTemplate& field : entry.fields) {
        if (field.field->key == error.field()) where = field.source;
      }
      fail(*where, named(entry, error.message()) + loop_state());
    } catch (const Error& error) {
      fail(*where, named(entry, error.message()) + hint_at_order(entry, *where) + loop_state());
    }
  }

  // Adds the entry to an error message that does not name it. Elements that an entry adds without a name belong to the
  // entry.
  static std::string named(const EntryTemplate& entry, const std::string& message) {
    const std::string nameless = describe(entry.type->info->keyword, {});
    std::string title;
    try {
      title = describe(entry.type->info->keyword, entry.name.name());
    } catch (const Error&) {  // an index of the name itself is wrong
      title = fmt::format("{} '{}'", entry.type->info->keyword, entry.source->text);
    }
    if (message.starts_with(title)) return message;
    if (message.starts_with(nameless + ": ")) return title + message.substr(nameless.size());
    return title + ": " + message;
  }

  // A marker on a marker, or a node on a body, needs its carrier above it in the file.
  std::string hint_at_order(const EntryTemplate& entry, const Tree& where) const {
    const bool is_carrier = std::any_of(entry.fields.begin(), entry.fields.end(), [&](const FieldTemplate& field) {
      return field.source == &where && field.field->key == "on";
    });
    if (is_carrier && entry.type->info->keyword == "node") return "; a node stands below its body";
    const bool sits_on_marker = entry.type->stage == EntryType::Stage::markers && &where != entry.source &&
                                markers_.contains(word_of(where.text));
    return sits_on_marker ? "; a marker stands below the marker that it sits on" : "";
  }

  [[noreturn]] static void refuse_number(const EntryTemplate& entry, const FieldTemplate& field,
                                         const Expression& number) {
    throw Error(fmt::format("{}: {} '{}' is {}; it must be a finite number",
                            describe(entry.type->info->keyword, entry.name.name()), field.field->key, number.text(),
                            show(number.value())));
  }

  FieldValue evaluate(const EntryTemplate& entry, const FieldTemplate& field) {
    FieldValue value;
    for (const Expression& number : field.numbers) {
      value.numbers[value.count] = number.value();
      if (!std::isfinite(value.numbers[value.count++])) refuse_number(entry, field, number);
    }
    if (field.field->kind == FieldKind::folder || field.field->kind == FieldKind::text) {
      value.text = field.text;
      value.count = 1;
    }
    if (field.field->kind == FieldKind::flag) value.numbers[value.count++] = field.text == "true" ? 1 : 0;
    for (const Reference& reference : field.references) value.references[value.count++] = reference.resolve(builder_);
    if (field.references.size() > 1) refuse_same(field, value);
    return value;
  }

  // Two different places or coordinates are required: an element between a place and itself has no meaning.
  void refuse_same(const FieldTemplate& field, const FieldValue& value) const {
    const auto begin = value.references.begin();
    for (std::size_t i = 1; i < value.count; ++i) {
      if (std::find(begin, begin + static_cast<std::ptrdiff_t>(i), value.references[i]) == begin + i) continue;
      const std::string& key = std::string(field.field->key);
      throw Error(fmt::format("{} names '{}' twice", key, parts_of(*field.source, key)[i]));
    }
  }

  std::string loop_state() const {
    std::string text;
    for (const LoopTemplate* const loop : loops_) {
      const std::string name = trimmed(loop->source->text.substr(0, loop->source->text.find(" in ")));
      text += fmt::format("{}{} = {}", text.empty() ? " (with " : ", ", name, loop->variable->value);
    }
    return text.empty() ? "" : text + ")";
  }

  std::string file_;
  const ReadOptions& options_;
  Dimension dimension_ = Dimension::plane;
  std::vector<EntryType> types_;
  Scope scope_;
  std::vector<std::unique_ptr<Scope::Variable>> kept_;  // loop variables out of scope, to which expressions still point
  std::vector<std::string> parameters_;
  std::vector<const LoopTemplate*> loops_;
  std::set<std::string> markers_;  // the words of their names
  std::int64_t idle_rounds_ = 0;   // rounds of repetitions without an entry, because the inner repetitions are empty
  ModelBuilder builder_;
};

constexpr std::size_t largest_file = std::size_t{256} << 20;

// The nearest name in the same folder, for a path that does not exist.
std::string nearest_path(const std::filesystem::path& path) {
  const auto parent = path.parent_path().empty() ? std::filesystem::path(".") : path.parent_path();
  std::vector<std::string> known;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(parent, none))
    known.push_back(entry.path().filename().string());
  return did_you_mean(path.filename().string(), known);
}

}  // namespace

Model read_model_text(const std::string& text, const std::string& file, const Parameters& parameters,
                      const ReadOptions& options) {
  const Tree root = parse_tree(text, file);
  return Reader(file, options).read(root, parameters);
}

Model read_model(const std::string& path, const Parameters& parameters, const ReadOptions& options) {
  std::filesystem::path file = std::filesystem::path(path).lexically_normal();
  if (!file.has_filename()) file = file.parent_path();
  std::error_code failed;
  if (std::filesystem::is_directory(file, failed)) {
    file /= "model.yaml";
    if (!std::filesystem::exists(file, failed)) throw Error({path, 0, 0}, "this folder holds no model.yaml");
  } else if (!std::filesystem::exists(file, failed) && !failed) {
    throw Error({path, 0, 0}, "no such file or folder" + nearest_path(file));
  }
  return read_model_text(read_text(file.string(), largest_file), file.string(), parameters, options);
}

}  // namespace stillpoint
