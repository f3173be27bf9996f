#!/bin/sh
# References that lead somewhere: the equations and the literature that comments and documents cite are in
# docs/theory.md.
#
#   tests/references.sh               checks this source tree
#   tests/references.sh --self-test   checks that every kind of violation is found
#
# How to cite:
#   equations    in a sentence "theory (6.1)", also "theory (5.3), (5.4)", "(11.3) to (11.5)"; at a displayed formula the
#                number alone at the end of the comment line, "(6.1)" or "(3.1, 3.2)", after two blanks or more; in
#                documents also "§6 (6.1)"
#   sections     "theory, section 9"
#   literature   the key of an entry of the section "References" of docs/theory.md, [Tisseur 2000]; two authors are
#                named, [Duff & Reid 1983], of more only the first; several keys as [Liu 1990; Heath 1982]
# In docs/theory.md the numbers ascend within each section, without gaps. A citation may continue on the next line.

set -eu

# Prints each violation in the tree $1, and fails if there is one.
check() {
  (cd "$1" && find README.md CHANGELOG.md src include docs tests cases -type f 2>/dev/null) |
    grep -E '\.(h|cpp|md|json|yaml)$' | LC_ALL=C sort |
    LC_ALL=C awk -v root="$1" '
    function complain(text) { print text; bad = 1 }

    # Equations, sections and keys that exist; the order of the numbers.
    function read_theory(   line, number, file, last, parts) {
      file = root "/docs/theory.md"
      while ((getline line < file) > 0) {
        number++
        if (line ~ /^## [0-9]+\./) {
          section = line
          gsub(/^## |\..*/, "", section)
          is_section[section] = 1
          last = 0
        } else if (line ~ /^    .*  \([0-9]+\.[0-9]+\)$/) {
          sub(/\)$/, "", line)
          sub(/.*\(/, "", line)
          split(line, parts, ".")
          if (parts[1] != section || parts[2] != last + 1)
            complain("docs/theory.md:" number ": equation (" line ") is not (" section "." last + 1 ")")
          last = parts[2]
          is_equation[line] = 1
        } else if (match(line, /^- \[[^]]*\]/)) {
          is_key[substr(line, RSTART + 3, RLENGTH - 4)] = 1
        }
      }
      close(file)
    }

    function check_equations(text, place,   number) {
      while (match(text, /[0-9]+\.[0-9]+/)) {
        number = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (!(number in is_equation)) complain(place ": there is no equation (" number ") in docs/theory.md")
      }
    }

    # The next match of the pattern that begins in the first `own` bytes of `text`, which goes on with the next line;
    # "" if there is none. `passed`: where the search begins, and then where it goes on.
    function next_match(pattern,   start) {
      if (!match(substr(text, passed + 1), pattern) || passed + RSTART > own) return ""
      start = passed + RSTART
      passed = start + RLENGTH - 1
      return substr(text, start, RLENGTH)
    }

    # In docs/theory.md equations are cited without the word "theory".
    function check_text(place, in_theory,   found, keys, n, i) {
      passed = 0
      while ((found = next_match(in_theory ? equations : citation)) != "") {
        sub(/^.*\]\([^)]*\)/, "", found)
        sub(/^\302\247[0-9]+/, "", found)
        check_equations(found, place)
      }
      passed = 0
      while ((found = next_match("[Tt]heory, section [0-9]+")) != "") {
        sub(/.* /, "", found)
        if (!(found in is_section)) complain(place ": there is no section " found " in docs/theory.md")
      }
      passed = 0
      while ((found = next_match("\\[[A-Za-z\200-\377][^][]*[^][,0-9+*=<>-] (19|20)[0-9][0-9]\\]")) != "") {
        found = substr(found, 2, length(found) - 2)
        gsub(/[0-9][,;] /, "&\n", found)
        n = split(found, keys, /[,;] \n/)
        for (i = 1; i <= n; i++)
          if (!(keys[i] in is_key)) complain(place ": there is no reference [" keys[i] "] in docs/theory.md")
      }
      passed = 0
      while ((found = next_match("[Pp]apers? 00[0-9]|[Mm]athematics \302\247|\\(T[0-9]+[a-z]?\\)")) != "")
        complain(place ": cites \"" found "\", which readers do not have")
    }

    function check_line(line, after, place, in_theory) {
      own = length(line)
      sub(/^[ \t]*(\/\/[\/!]?<?|#)?[ \t]*/, "", after)
      text = line " " after
      check_text(place, in_theory)
      if (line ~ /^[ \t]*\/\/.*  \([0-9]+\.[0-9]+(, [0-9]+\.[0-9]+)*\)$/) {
        sub(/.*  \(/, "", line)
        check_equations(line, place)
      }
    }

    BEGIN {
      equations = "\\([0-9]+\\.[0-9]+\\)"
      equations = equations "(((,| and| or| to|;) |\342\200\223)" equations ")*"
      citation = "([Tt]heory(\\]\\([^)]*\\))?(,? after)?|\302\247[0-9]+) " equations
      read_theory()
    }

    {
      number = 0
      before = ""
      in_theory = $0 == "docs/theory.md"
      while ((getline line < (root "/" $0)) > 0) {
        if (number) check_line(before, line, $0 ":" number, in_theory)
        number++
        before = line
      }
      if (number) check_line(before, "", $0 ":" number, in_theory)
      close(root "/" $0)
    }
    END { exit bad }'
}

# A small tree in which all citations exist; the text $2 is added to the file $1.
tree_with() {  # FILE TEXT
  tree=$(mktemp -d)
  mkdir -p "$tree/docs" "$tree/src" "$tree/tests" "$tree/cases"
  cat >"$tree/docs/theory.md" <<'END'
## 1. One

    a = b                  (1.1)
    c = d                  (1.2)

By (1.1) and [Duff & Reid 1983].

## 2. Two

    e = f                  (2.1)

## References

- [Duff & Reid 1983] I. S. Duff, J. K. Reid.
- [González 2017] F. González and others.
END
  cat >"$tree/src/good.cpp" <<'END'
// As theory (1.1), (1.2) and [Duff &
// Reid 1983] say; [González 2017; Duff & Reid 1983], theory
// (2.1); theory, section 2.
//
//   a = b                  (1.1, 2.1)
const double x = f(3.7), y = g(9.81);  // on the Moon (1.62)
const auto z = {{1, 2000}, a[i + 2000]};
END
  echo 'See [theory](theory.md#1-one) (1.2), §1 (1.1).' >"$tree/docs/good.md"
  printf '%s\n' "$2" >>"$tree/$1"
}

must_pass() {
  tree_with src/good.cpp ''
  check "$tree" || { echo "self-test: the tree without a violation was not accepted"; exit 1; }
  rm -r "$tree"
}

must_be_found() {  # FILE TEXT REASON
  tree_with "$1" "$2"
  found=$(check "$tree") && { echo "self-test: not found: $2 in $1"; exit 1; }
  rm -r "$tree"
  case $found in
    *"$3"*) echo "found: $found" ;;
    *) echo "self-test: expected '$3', got: $found"; exit 1 ;;
  esac
}

if [ "${1:-}" = --self-test ]; then
  must_pass
  must_be_found src/a.cpp '// As theory (1.3) says.' 'no equation (1.3)'
  must_be_found src/a.cpp '// As theory (1.1) to (3.1) say.' 'no equation (3.1)'
  must_be_found src/a.cpp '  //   a = b      (1.1, 1.4)' 'no equation (1.4)'
  must_be_found src/a.cpp '/// As in theory
/// (7.1), and so on.' 'a.cpp:1: there is no equation (7.1)'
  must_be_found src/a.cpp '// See theory, section 8.' 'no section 8'
  must_be_found docs/a.md 'See [theory](theory.md#1-one) (1.9).' 'no equation (1.9)'
  must_be_found docs/a.md '| a | §1 (1.7) |' 'no equation (1.7)'
  must_be_found docs/theory.md 'By (4.4).' 'no equation (4.4)'
  must_be_found docs/theory.md '## 3. Three

    a = b     (3.2)' 'equation (3.2) is not (3.1)'
  must_be_found tests/a.h '// By [Nobody 1999].' 'no reference [Nobody 1999]'
  must_be_found tests/a.h '// By [Nobody & Somebody
// 1999].' 'no reference [Nobody & Somebody 1999]'
  must_be_found src/a.cpp '// [Duff & Reid 1983; Nobody 1999].' 'no reference [Nobody 1999]'
  must_be_found cases/a.json '"source": "paper 000, Table 1"' '"paper 000"'
  must_be_found src/a.cpp '// As mathematics §2 says.' '"mathematics §"'
  must_be_found docs/a.md 'See (T19).' '"(T19)"'
  exit
fi

check "$(dirname "$0")/.." && echo "references: every equation and every reference that is cited is in docs/theory.md"
