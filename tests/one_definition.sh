#!/bin/sh
# One definition: no two types outside of unnamed namespaces have the same full name. The linker takes one for the
# other without a word.
#
#   tests/one_definition.sh               checks this source tree
#   tests/one_definition.sh --self-test   checks that clashes are found, and only these

set -eu

# Prints each name in the tree $1 that is defined twice, and fails if there is one. Relies on the format: a namespace or
# a type that counts begins in the first column, and a namespace ends with a comment. (tests/install is another program,
# and each file of tests/bench is one.)
check() {
  (cd "$1" && find include src tests \( -path tests/bench -o -path tests/install \) -prune \
    -o \( -name '*.h' -o -name '*.cpp' \) -print) | LC_ALL=C sort |
    awk -v root="$1" '
    { check_file($0) }

    function check_file(file,   line, number, depth, spaces, full, i) {
      number = depth = 0
      while ((getline line < (root "/" file)) > 0) {
        number++
        if (line ~ /^namespace .*\{$/) {
          spaces[++depth] = line ~ /^namespace \{/ ? "" : line
          gsub(/^namespace | *\{$/, "", spaces[depth])
        } else if (line ~ /^\}  \/\/ namespace/) {
          depth--
        } else if (line ~ /^(struct|class|enum class|enum|union) [A-Za-z_0-9]+( final)?( :.*)? \{/) {
          sub(/^(struct|class|enum class|enum|union) /, "", line)
          sub(/[^A-Za-z_0-9].*/, "", line)
          full = line
          for (i = depth; i > 0; i--) full = spaces[i] "::" full
          if (full ~ /^::|::::/) continue  # within an unnamed namespace
          if (full in place) {
            print file ":" number ": " full " is also defined in " place[full]
            bad = 1
          }
          place[full] = file ":" number
        }
      }
      close(root "/" file)
    }
    END { exit bad }'
}

tree_with() {  # FILE TEXT...
  tree=$(mktemp -d)
  mkdir -p "$tree/include" "$tree/src" "$tree/tests/bench"
  printf 'namespace a {\nstruct Known {\n};\n}  // namespace a\n' >"$tree/include/known.h"
  file=$1
  shift
  printf '%s\n' "$@" >"$tree/$file"
}

must_be_found() {
  tree_with "$@"
  found=$(check "$tree") && { echo "self-test: not found: $*"; exit 1; }
  echo "found: $found"
  rm -r "$tree"
}

must_be_accepted() {
  tree_with "$@"
  check "$tree" || { echo "self-test: not accepted: $*"; exit 1; }
  rm -r "$tree"
}

if [ "${1:-}" = --self-test ]; then
  must_be_found src/a.cpp 'namespace a {' 'struct Known {'
  must_be_found src/a.h 'namespace a {' 'class Known : public Other {'
  must_be_found tests/a.cpp 'namespace a {' 'namespace {' '}  // namespace' 'enum class Known { x };'
  must_be_found tests/a.cpp 'namespace b {' '}  // namespace b' 'namespace a {' 'class Known final : public Other {'
  must_be_accepted src/a.cpp 'namespace a {' 'namespace {' 'struct Known {'
  must_be_accepted src/a.cpp 'namespace a {' 'namespace b {' 'struct Known {'
  must_be_accepted src/a.cpp 'namespace a {' 'struct Known;' 'struct KnownToo {' '  struct Known {'
  must_be_accepted tests/bench/a.cpp 'namespace a {' 'struct Known {'
  exit
fi

check "$(dirname "$0")/.." && echo "one definition: every type has a name of its own"
