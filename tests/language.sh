#!/bin/sh
# One language: retired words do not come back. The standard ones are in docs/glossary.md.
#
#   tests/language.sh               searches the sources, the documents and the READMEs of this tree
#   tests/language.sh TOOL          the same, and the help texts of the built tool
#   tests/language.sh --self-test   checks that every retired word is found, and nothing else
#
# Words are whole words, in upper or lower case, and parts of identifiers count: few_dampers, FewDampers. A phrase is
# also found where it continues on the next line, but not across the end of a sentence. What may stay is listed in
# tests/language.allow.

set -eu

# RETIRED | RETIRED ... : STANDARD. The longest phrase counts; with the standard word "-" it is accepted. 00* is any
# word that begins so.
retired='
sandwich | sandwiches : modal coefficients
freedoms : degrees of freedom
rest position | rest positions : equilibrium
error bar | error bars | bars : error bound
winding : argument principle
few dampers : low-rank damping
stations : multiple shifts
mirrored : transposed, conjugate copy, or Hamiltonian symmetry
share one vector | shares one vector | share a vector | shares a vector | shares its vector : defective, or nearly so
neighbours : perturbed equilibria, or adjacent values
creeps back | creep back : decays without oscillation
hankel value | hankel values : Hankel singular values
what a blow moves | a blow : impulse response
forces that follow : follower forces
forces that follow from : -
forces without a potential | force without a potential : circulatory (nonconservative) forces
left over | leave over | leaves over | leftover | leftovers : unbalanced force, or residual
doubt | doubts | doubted | doubtful : not certified, or uncertain
all that grow | those that grow | motions that grow | modes that grow | eigenvalues that grow : unstable
values that grow | poles that grow | pole that grows | roots that grow | motion that grows : unstable
growing motion | growing motions | growing mode | growing modes | growing eigenvalue | growing eigenvalues : unstable
growing pole | growing poles | growing root | growing roots | growing value | growing values : unstable
paper 00* | papers 00* : the key of the reference in docs/theory.md
mathematics § : the equation of docs/theory.md
give way | gives way | gave way | giving way : constraint compliance
'

# Prints each violation in the files named on stdin (ROOT, a tab, NAME), and fails if there is one.
check() {  # ALLOW-FILE
  awk -v retired="$retired" -v allow_file="$1" '
    function complain(text) { print text; bad = 1 }

    function read_rules(   lines, n, i, colon, phrases, m, k, words) {
      n = split(retired, lines, "\n")
      for (i = 1; i <= n; i++) {
        colon = index(lines[i], " : ")
        if (!colon) continue
        m = split(substr(lines[i], 1, colon - 1), phrases, " [|] ")
        for (k = 1; k <= m; k++) {
          gsub(/^ +| +$/, "", phrases[k])
          is_retired[phrases[k]] = 1
          phrase[++rules] = phrases[k]
          say[rules] = substr(lines[i], colon + 3)
          length_of[rules] = split(phrases[k], words, " ")
          beginning_with[words[1]] = beginning_with[words[1]] " " rules
        }
      }
    }

    # PATTERN: TEXT: REASON
    function read_allowed(   line, number, colon, pattern) {
      while ((getline line < allow_file) > 0) {
        number++
        if (line ~ /^#/ || line ~ /^[ \t]*$/) continue
        colon = index(line, ": ")
        pattern = substr(line, 1, colon - 1)
        line = substr(line, colon + 2)
        if (!colon || !index(line, ": ")) {
          complain(allow_file ":" number ": must be PATTERN: TEXT: REASON")
          continue
        }
        place[++allowed] = allow_file ":" number
        text[allowed] = substr(line, 1, index(line, ": ") - 1)
        is_help[allowed] = pattern ~ /^stillpoint /
        gsub(/[.]/, "[.]", pattern)
        gsub(/[*]/, ".*", pattern)
        file_pattern[allowed] = "^" pattern "$"
      }
      close(allow_file)
    }

    # What may stand in this file anywhere. Returns whether that is everything.
    function is_free(file,   i) {
      split("", accepted)
      removals = 0
      for (i = 1; i <= allowed; i++) {
        if (file !~ file_pattern[i]) continue
        if (text[i] == "*") return is_used[i] = 1
        if (text[i] in is_retired) accepted[text[i]] = i
        else removal[++removals] = i
      }
      return 0
    }

    function without_allowed(line,   k, i, at) {
      for (k = 1; k <= removals; k++) {
        i = removal[k]
        while ((at = index(line, text[i])) > 0) {
          is_used[i] = 1
          line = substr(line, 1, at - 1) " | " substr(line, at + length(text[i]))
        }
      }
      return line
    }

    # In lower case, with "|" where no phrase goes on. Identifiers, marks of comments and quotes come apart.
    function words_of(line) {
      gsub(/\302\247/, " \001 ", line)  # the sign of a section
      gsub(/\\n|\/\/[\/!]*<?/, " ", line)
      while (match(line, /[a-z0-9][A-Z]/)) line = substr(line, 1, RSTART) " " substr(line, RSTART + 1)
      line = tolower(line)
      gsub(/[-_*`"#\/\\ \t\r]+/, " ", line)
      gsub(/[^a-z0-9\001 ]+/, " | ", line)
      return line
    }

    function read_words(file,   line, lines, n, i, parts) {
      count = lines = 0
      while ((getline line < file) > 0) {
        lines++
        n = split(words_of(without_allowed(line)), parts, " ")
        for (i = 1; i <= n; i++) { word[++count] = parts[i]; line_of[count] = lines }
        if (n == 0) { word[++count] = "|"; line_of[count] = lines }
      }
      close(file)
      word[count + 1] = word[count + 2] = word[count + 3] = word[count + 4] = "|"
    }

    function begins_at(i, rule,   words, k, w) {
      split(phrase[rule], words, " ")
      for (k = 1; k <= length_of[rule]; k++) {
        w = words[k] == "\302\247" ? "\001" : words[k]
        if (w ~ /[*]$/ ? index(word[i + k - 1], substr(w, 1, length(w) - 1)) != 1 : w != word[i + k - 1]) return 0
      }
      return 1
    }

    function check_words(name,   i, n, k, candidates, found, shown) {
      for (i = 1; i <= count; i++) {
        if (!(word[i] in beginning_with)) continue
        found = 0
        n = split(beginning_with[word[i]], candidates, " ")
        for (k = 1; k <= n; k++) {
          if (found && length_of[candidates[k]] <= length_of[found]) continue
          if (begins_at(i, candidates[k])) found = candidates[k]
        }
        if (!found) continue
        if (phrase[found] in accepted) is_used[accepted[phrase[found]]] = 1
        else if (say[found] != "-") {
          shown = word[i]
          for (k = 1; k < length_of[found]; k++) shown = shown " " word[i + k]
          sub(/\001/, "\302\247", shown)
          complain(name ":" line_of[i] ": \047" shown "\047: say \047" say[found] "\047")
        }
        i += length_of[found] - 1
      }
    }

    BEGIN { FS = "\t"; read_rules(); read_allowed() }
    {
      if ($2 ~ /^stillpoint /) has_help = 1
      if (is_free($2)) next
      read_words($1 "/" $2)
      check_words($2)
    }
    END {
      for (i = 1; i <= allowed; i++) {
        if (!is_used[i] && (has_help || !is_help[i])) complain(place[i] ": nothing needs \047" text[i] "\047 any more")
      }
      exit bad
    }'
}

files_of() {  # TREE
  (
    cd "$1"
    find src include docs README.md CHANGELOG.md \
      \( -name '*.h' -o -name '*.cpp' -o -name '*.md' -o -name '*.m' \) -print
    find cases -path 'cases/*/README.md'
  ) | LC_ALL=C sort | while read -r name; do printf '%s\t%s\n' "$1" "$name"; done
}

# Each verb has a file src/cli/verbs/verb_NAME.cpp. What its help prints is put into a file of that name.
help_of() {  # TREE TOOL FOLDER
  "$2" --help >"$3/stillpoint --help" || { echo "language: $2 --help fails" >&2; return 1; }
  for source in "$1"/src/cli/verbs/verb_*.cpp; do
    verb=${source##*/verb_}
    verb=${verb%.cpp}
    "$2" "$verb" --help >"$3/stillpoint $verb --help" || { echo "language: $2 $verb --help fails" >&2; return 1; }
  done
  for file in "$3"/*; do printf '%s\t%s\n' "$3" "${file##*/}"; done
}

check_tree() {  # TREE ALLOW-FILE [TOOL]
  help=$(mktemp -d)
  status=0
  files_of "$1" >"$help.files"
  if [ $# -gt 2 ]; then help_of "$1" "$3" "$help" >>"$help.files" || status=1; fi
  check "$2" <"$help.files" || status=1
  rm -r "$help" "$help.files"
  return $status
}

# ----- The self-test

# A tree without a violation.
make_tree() {
  tree=$(mktemp -d)
  mkdir -p "$tree/src/cli/verbs" "$tree/include" "$tree/docs" "$tree/cases/one"
  echo '// The degrees of freedom of a mechanism.' >"$tree/src/cli/verbs/verb_modes.cpp"
  echo '/// The equilibrium.' >"$tree/include/a.h"
  for file in docs/a.md README.md CHANGELOG.md cases/one/README.md; do echo 'An error bound.' >"$tree/$file"; done
  printf '#!/bin/sh\necho "Usage: modes"\n' >"$tree/tool"
  chmod +x "$tree/tool"
  : >"$tree/allow"
}

outcome() { check_tree "$tree" "$tree/allow" "$tree/tool" 2>&1; }

must_be_found() {  # FILE TEXT VIOLATION
  make_tree
  printf '%b\n' "$2" >>"$tree/$1"
  found=$(outcome) && { echo "self-test: not found: '$2' in $1"; exit 1; }
  rm -r "$tree"
  case $found in
    *"$3"*) echo "found: $found" ;;
    *) echo "self-test: expected '$3', got: $found"; exit 1 ;;
  esac
}

must_be_accepted() {  # FILE TEXT [ALLOWED]
  make_tree
  printf '%b\n' "$2" >>"$tree/$1"
  printf '%b\n' "${3-}" >>"$tree/allow"
  outcome || { echo "self-test: not accepted: '$2' in $1"; exit 1; }
  rm -r "$tree"
}

# Each retired phrase is found by itself, in the line where it is.
every_phrase_must_be_found() {
  make_tree
  phrases=$(echo "$retired" | sed -n 's/ : [^-].*//p' | sed 's/ | /\n/g; s/00\*/001/g' | sed 's/^ *//; s/ *$//')
  echo "$phrases" >"$tree/docs/a.md"
  outcome >"$tree/found" && { echo "self-test: no phrase found"; exit 1; }
  number=0
  echo "$phrases" | while read -r one; do
    number=$((number + 1))
    grep -q "^docs/a.md:$number: '$one': say '" "$tree/found" || { echo "self-test: not found: $one"; exit 1; }
  done
  [ "$(wc -l <"$tree/found")" = "$(echo "$phrases" | wc -l)" ] || { echo "self-test: found too much"; exit 1; }
  echo "found: $(echo "$phrases" | wc -l) phrases, each by itself"
  rm -r "$tree"
}

if [ "${1:-}" = --self-test ]; then
  every_phrase_must_be_found
  must_be_found src/a.cpp '// The Sandwich of both.' "src/a.cpp:1: 'sandwich': say 'modal coefficients'"
  must_be_found include/a.h 'int few_freedoms;' "include/a.h:2: 'freedoms'"
  must_be_found include/a.h 'class FewDampers;' "include/a.h:2: 'few dampers'"
  must_be_found src/a.cpp '// With what is left\n/// over of it.' "src/a.cpp:1: 'left over'"
  must_be_found src/a.cpp '  "the rest\\\\n"\n      "position of"' "src/a.cpp:1: 'rest position'"
  must_be_found src/a.cpp '///< (paper 000 §3)' "'paper 000'"
  must_be_found src/a.cpp '(mathematics §2)' "'mathematics §'"
  must_be_found docs/a.md 'An **error** bar.' "docs/a.md:2: 'error bar'"
  must_be_found README.md 'Error-bars' "README.md:2: 'error bars'"
  must_be_found CHANGELOG.md 'no doubt!' "CHANGELOG.md:2: 'doubt'"
  must_be_found cases/one/README.md 'It creeps back.' "cases/one/README.md:2: 'creeps back'"
  must_be_found tool 'echo "$*: all that grow"' "stillpoint modes --help:2: 'all that grow'"
  must_be_found allow 'docs/*: bars: of steel' "allow:1: nothing needs 'bars' any more"
  must_be_found allow 'docs/*' 'must be PATTERN: TEXT: REASON'
  must_be_found tool 'exit 3' 'tool --help fails'
  must_be_accepted src/a.cpp '// Undoubtedly a sandbars_of_freedom.'
  must_be_accepted src/a.cpp '// It is at rest. Position and velocity are left, over there too.'
  must_be_accepted docs/a.md 'the forces that follow from the energy; memory is growing, and the digits that grow'
  must_be_accepted docs/a.md 'to the left\n\nOver there'
  must_be_accepted cases/one/model.yaml '# doubt'
  must_be_accepted src/a.cpp 'json["leftover"] = 1;' 'src/*.cpp: "leftover": a key of JSON'
  must_be_accepted cases/one/README.md 'Two bars.' 'cases/*/README.md: bars: of a linkage'
  must_be_accepted docs/a.md 'doubt, bars' 'docs/a.md: *: names retired words'
  exit
fi

[ $# = 0 ] || set -- "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
cd "$(dirname "$0")/.."
check_tree . tests/language.allow "$@" && echo "language: no retired word is in use"
