#include "read/tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

namespace stillpoint {

namespace {

constexpr std::size_t deepest = 50;

class TreeMaker final : public YAML::EventHandler {
 public:
  explicit TreeMaker(const std::string& file) : file_(file) {}

  Tree take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_extras(mark, anchor, "");
    put(at(mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_extras(mark, 1, ""); }
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
  static Tree at(const YAML::Mark& mark) {
    Tree tree;
    tree.line = mark.line + 1;
    tree.column = mark.column + 1;
    return tree;
  }

  [[noreturn]] void refuse(int line, int column, const std::string& message) const {
    throw Error({file_, line, column}, message);
  }

  void refuse_extras(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& tag) const {
    if (anchor != 0) refuse(mark.line + 1, mark.column + 1, "anchors and aliases (&, *) are not allowed in model files");
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark.line + 1, mark.column + 1, fmt::format("tags such as {} are not allowed in model files", tag));
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
    } else if (parent.entries.empty() || parent.entries.back().value.line > 0) {
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
      refuse(key.line, key.column, fmt::format("the key '{}' stands here a second time; the first is in line {}", key.text, first->line));
    }
    parent.entries.push_back({std::move(key), {}});
  }

  const std::string& file_;
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
    case Tree::Kind::mapping: return "a mapping";
    case Tree::Kind::list: return "a list";
    case Tree::Kind::text: return fmt::format("'{}'", tree.text);
    case Tree::Kind::empty: break;
  }
  return "nothing";
}

Tree parse_tree(const std::string& text, const std::string& file) {
  std::istringstream stream(text);
  TreeMaker maker(file);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(maker);
    TreeMaker rest(file);
    if (parser.HandleNextDocument(rest)) {
      throw Error({file, rest.take().line, 1}, "a second document starts here; a model file is one document");
    }
  } catch (const YAML::Exception& error) {
    throw Error({file, error.mark.line + 1, error.mark.column + 1}, "not valid YAML: " + error.msg);
  }
  return maker.take();
}

}  // namespace stillpoint
