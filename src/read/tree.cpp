#include "read/tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace stillpoint {

namespace {

constexpr std::size_t deepest = 50;

// A message of the YAML parser, and the advice that replaces it.
struct Advice {
  std::string_view message, advice;
};
constexpr std::array advices{
    Advice{"illegal tab when looking for indentation", "indent with spaces, not with tabs"},
    Advice{"illegal block entry", "a '-' cannot stand here; begin list items on their own line, indented with spaces"},
    Advice{"illegal map value",
           "a ':' cannot stand here; check the indentation and the ':' of the key above, or quote the text"},
    Advice{"illegal map key", "a key cannot stand here; is it indented like its neighbours?"},
    Advice{"end of map not found", "this does not fit; indent it like the lines it belongs to, or quote the text"},
    Advice{"end of sequence not found", "this does not fit; indent it like the lines it belongs to, or quote the text"},
    Advice{"end of map flow not found",
           "the '{' before this needs a ',' or its '}', or what is inside needs quotes: {between: \"B[1], B[2]\"}"},
    Advice{"end of sequence flow not found",
           "the '[' before this needs a ',' or its ']', or a name with an index inside it needs quotes: [\"B[1]\", "
           "\"B[2]\"]"},
    Advice{"illegal flow end", "a bracket closes here that was not opened; a text that starts with one needs quotes"},
    Advice{"unknown token", "a text that starts with this character needs quotes"},
    Advice{"unexpected character in block scalar",
           "after '|' or '>' the text starts on the next line; or else quote it"},
    Advice{"the referenced anchor is not defined",
           "'*' refers to an anchor, which is not allowed here; a text that starts with it needs quotes"},
    Advice{"illegal document indicator in scalar", "a quote that opens after this is not closed"},
};

std::string advice_on(const std::string& message) {
  for (const Advice& known : advices) {
    if (message.starts_with(known.message)) return std::string(known.advice);
  }
  return message;
}

// The number of bytes of the UTF-8 character at i; 0 if the bytes are not valid.
std::size_t character_size(const std::string& text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  const std::size_t size = byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
  for (std::size_t k = 1; k < size; ++k) {
    if (i + k >= text.size() || (static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return 0;
  }
  return size;
}

// Refuses binary files. The parser would stop at some control characters, and silently replace characters of other
// encodings.
void refuse_binary(const std::string& text, const std::string& file) {
  int line = 1, column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t size = character_size(text, i);
    const bool is_control = size == 1 && static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
    if (size == 0 || is_control) {
      throw Error({file, line, column}, fmt::format("the byte {:#04x} cannot stand here; a model file is text in UTF-8",
                                                    static_cast<unsigned char>(c)));
    }
    i += size;
    ++column;
    if (c != '\n') continue;
    ++line;
    column = 1;
  }
}

class TreeMaker final : public YAML::EventHandler {
 public:
  explicit TreeMaker(const std::string& file) : file_(file), latest_{file, 1, 1} {}

  Tree take() { return std::move(root_); }
  /// The position of the last event.
  const SourcePlace& latest() const { return latest_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_extras(mark, anchor, "");
    put(wants_key() ? at(mark) : after_latest());
  }
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}  // the anchor of an alias has been refused
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_extras(mark, anchor, tag);
    Tree tree = at(mark);
    tree.kind = Tree::Kind::text;
    tree.text = value;
    put(std::move(tree));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Tree::Kind::list);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Tree::Kind::mapping);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  // An empty value has no position of its own; it gets that of the key or item before it.
  Tree after_latest() const {
    Tree tree;
    tree.line = latest_.line;
    tree.column = latest_.column;
    return tree;
  }

  bool wants_key() const {
    if (open_.empty() || open_.back().kind != Tree::Kind::mapping) return false;
    return open_.back().entries.empty() || open_.back().entries.back().value.line > 0;
  }

  Tree at(const YAML::Mark& mark) {
    Tree tree;
    tree.line = latest_.line = mark.line + 1;
    tree.column = latest_.column = mark.column + 1;
    return tree;
  }

  [[noreturn]] void refuse(int line, int column, const std::string& message) const {
    throw Error({file_, line, column}, message);
  }

  void refuse_extras(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& tag) const {
    if (anchor != 0)
      refuse(mark.line + 1, mark.column + 1,
             "'&' makes an anchor, which is not allowed here; a text that starts with it needs quotes");
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(
          mark.line + 1, mark.column + 1,
          fmt::format("'!' makes a tag ({}), which is not allowed here; a text that starts with it needs quotes", tag));
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Tree::Kind kind) {
    refuse_extras(mark, anchor, tag);
    Tree tree = at(mark);
    tree.kind = kind;
    if (open_.size() >= deepest) refuse(tree.line, tree.column, fmt::format("nested deeper than {} levels", deepest));
    open_.push_back(std::move(tree));
  }

  void close() {
    Tree done = std::move(open_.back());
    open_.pop_back();
    put(std::move(done));
  }

  void put(Tree tree) {
    if (open_.empty()) {
      root_ = std::move(tree);
      return;
    }
    Tree& parent = open_.back();
    if (parent.kind == Tree::Kind::list) {
      parent.items.push_back(std::move(tree));
    } else if (wants_key()) {
      put_key(parent, std::move(tree));
    } else {
      parent.entries.back().value = std::move(tree);
    }
  }

  void put_key(Tree& parent, Tree key) const {
    if (key.kind != Tree::Kind::text) {
      refuse(key.line, key.column, fmt::format("a key must be a word, not {}", describe(key)));
    }
    if (const Tree* const first = parent.find(key.text)) {
      refuse(key.line, key.column,
             fmt::format("the key '{}' stands here a second time; the first is in line {}", key.text, first->line));
    }
    parent.entries.push_back({std::move(key), {}});
  }

  const std::string& file_;
  SourcePlace latest_;
  std::vector<Tree> open_;
  Tree root_;
};

}  // namespace

const Tree* Tree::find(std::string_view key) const {
  for (const TreeEntry& entry : entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

std::string describe(const Tree& tree) {
  switch (tree.kind) {
    case Tree::Kind::mapping:
      return tree.entries.empty() ? "an empty mapping" : "a mapping";
    case Tree::Kind::list:
      return "a list";
    case Tree::Kind::text:
      return fmt::format("'{}'", tree.text);
    case Tree::Kind::empty:
      break;
  }
  return "nothing";
}

Tree parse_tree(const std::string& text, const std::string& file) {
  refuse_binary(text, file);
  std::istringstream stream(text + "\n...\n");  // the end mark reveals a quote that is not closed
  TreeMaker maker(file);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(maker);
    TreeMaker rest(file);
    if (parser.HandleNextDocument(rest)) {
      throw Error({file, rest.take().line, 1}, "a second document starts here; a model file is one document");
    }
  } catch (const YAML::Exception& error) {
    const bool at_end = error.mark.line > std::count(text.begin(), text.end(), '\n');
    const SourcePlace there{file, error.mark.line + 1, error.mark.column + 1};
    throw Error(at_end ? maker.latest() : there, "not valid YAML: " + advice_on(error.msg));
  }
  Tree root = maker.take();
  if (root.kind == Tree::Kind::empty) throw Error({file, 1, 1}, "there is nothing in this file");
  return root;
}

}  // namespace stillpoint
