#!/bin/sh
# One direction: a stage includes itself and the stages before it.
#
#   tests/layering.sh               checks this source tree
#   tests/layering.sh --self-test   checks that every kind of violation is found

set -eu

# The stages in order; each is a folder in src. (A folder that does not exist yet is fine.)
stages='base expressions formats algebra system controllers elements model read equilibrium linearize forms modes engines stability response zeros plants reduction sparsity motion verify studies loads scene report check explain installation cli python'

# The public headers of each stage, as named in include/stillpoint. Every public header must be here.
# stillpoint.h includes everything, so it stands last and only the tool may include it.
public_headers='
base         version.h error.h names.h sparse.h threads.h deadline.h authoring/vec2.h authoring/vec3.h authoring/dual.h authoring/series.h authoring/time_series.h detail/trace.h strains.h detail/sink.h
formats      triangle_mesh.h
algebra      rank.h pseudoinverse.h detail/symmetric_factor.h
system       linear_system.h change_system.h system_structure.h plant.h
controllers  controller.h close_loops.h
elements     elements/flexible_matrices.h authoring/unit_book.h authoring/element_array.h authoring/define_element.h authoring/places.h authoring/space.h authoring/field.h authoring/element.h detail/evaluation.h detail/mass_moments.h detail/observed.h detail/element_array.h elements/* elements/plane/* elements/space/*
model        model.h assembly.h outputs.h topology.h operating_point.h drawings.h
read         read_model.h model_family.h read_controllers.h
equilibrium  equilibrium.h assemble.h closing.h
motion       motion.h identify.h
linearize    linearize.h
forms        forms.h
modes        mode_vector.h modes.h find_modes.h follow_modes.h
stability    stability.h
response     frequency_response.h time_response.h margins.h
zeros        zeros.h
plants       controllability.h make_plant.h write_plant.h discretise.h
reduction    reduce.h
sparsity     sparsity.h
verify       verify_modes.h linear_motion.h
studies      system_rates.h mode_rates.h shape_rates.h response_rates.h sensitivity.h sweep.h stability_map.h critical.h boundary.h plane_start.h continuation.h
loads        effective_masses.h unbalance.h random_response.h
scene        scene.h
report       report.h report_page.h
check        check.h
explain      explanation.h
cli          stillpoint.h
'

# The waist: what stands below it knows matrices and no mechanics.
below_the_waist='system controllers forms modes engines stability response zeros plants reduction sparsity'
mechanics='model elements read equilibrium motion linearize'

# Prints each violation in the tree $1, and fails if there is one.
check() {
  (cd "$1" && find include src -name '*.h' -o -name '*.cpp') | LC_ALL=C sort |
    awk -v root="$1" -v stages="$stages" -v table="$public_headers" \
        -v below="$below_the_waist" -v mechanics="$mechanics" '
    function complain(text) { print text; bad = 1 }

    # The stage of a file by its path in include/stillpoint or in src; "" if there is none.
    function public_stage(name) {
      if (name in header) return header[name]
      sub(/[^\/]*$/, "*", name)
      return name in header ? header[name] : ""
    }
    function private_stage(name) {
      sub(/\/.*/, "", name)
      return name in rank ? name : ""
    }

    function check_include(from, public, place, line,   name, to) {
      name = line
      sub(/^[^<"]*[<"]/, "", name)
      sub(/[>"].*/, "", name)
      if (name ~ /^stillpoint\//) {
        sub(/^stillpoint\//, "", name)
        if (public && name ~ /^detail\// && place !~ /^include\/stillpoint\/(authoring|detail)\//)
          complain(place ": a public header includes the machinery " name "; only authoring/ may")
        to = public_stage(name)
        if (to == "") return complain(place ": includes stillpoint/" name ", a header of no stage")
      } else if (line ~ /</) {
        return  # from outside the project
      } else {
        to = private_stage(name)
        if (to == "") return complain(place ": includes \"" name "\"; write \"STAGE/FILE.h\" or \"stillpoint/FILE.h\"")
        if (public) complain(place ": a public header includes the private \"" name "\"")
      }
      if (rank[to] > rank[from]) complain(place ": " from " includes " name ", which belongs to the later stage " to)
      if ((from in is_below) && (to in is_mechanics))
        complain(place ": " from " is below the waist, but includes " name " from " to)
    }

    BEGIN {
      n = split(stages, list, " "); for (i = 1; i <= n; i++) rank[list[i]] = i
      n = split(below, list, " "); for (i = 1; i <= n; i++) is_below[list[i]] = 1
      n = split(mechanics, list, " "); for (i = 1; i <= n; i++) is_mechanics[list[i]] = 1
      n = split(table, list)
      for (i = 1; i <= n; i++) if (list[i] in rank) stage = list[i]; else header[list[i]] = stage
    }

    {
      name = $0
      public = sub(/^include\/stillpoint\//, "", name)
      if (!public) sub(/^src\//, "", name)
      from = public ? public_stage(name) : private_stage(name)
      if (from == "") {
        complain($0 ": belongs to no stage; add the " (public ? "header" : "folder") " to tests/layering.sh")
        next
      }
      number = 0
      while ((getline line < (root "/" $0)) > 0) {
        number++
        if (line ~ /^[ \t]*#[ \t]*include/) check_include(from, public, $0 ":" number, line)
      }
      close(root "/" $0)
    }
    END { exit bad }'
}

# A small tree with one include added, which must be found for the given reason.
must_be_found() {  # FILE INCLUDE REASON
  tree=$(mktemp -d)
  mkdir -p "$tree/include/stillpoint/elements" "$tree/src/base" "$tree/src/modes" "$tree/src/forms" "$tree/src/more"
  echo '#include <vector>' >"$tree/include/stillpoint/error.h"
  echo '#include "stillpoint/error.h"' >"$tree/include/stillpoint/elements/any_name.h"
  printf '#include <stillpoint/error.h>\n#include "forms/inner.h"\n' >"$tree/src/modes/modes.cpp"
  check "$tree" || { echo "self-test: the tree without a violation was not accepted"; exit 1; }
  echo "$2" >"$tree/$1"
  found=$(check "$tree") && { echo "self-test: not found: $2 in $1"; exit 1; }
  rm -r "$tree"
  case $found in
    *"$3"*) echo "found: $found" ;;
    *) echo "self-test: expected '$3', got: $found"; exit 1 ;;
  esac
}

if [ "${1:-}" = --self-test ]; then
  must_be_found src/base/a.cpp '#include "modes/inner.h"' 'later stage modes'
  must_be_found src/base/a.cpp '#  include <stillpoint/modes.h>' 'later stage modes'
  must_be_found include/stillpoint/names.h '#include "stillpoint/elements/spring.h"' 'later stage elements'
  must_be_found include/stillpoint/names.h '#include "base/inner.h"' 'includes the private'
  must_be_found include/stillpoint/names.h '#include "stillpoint/detail/sink.h"' 'only authoring/ may'
  must_be_found include/stillpoint/unlisted.h '' 'belongs to no stage'
  must_be_found src/modes/a.cpp '#include <stillpoint/unlisted.h>' 'a header of no stage'
  must_be_found src/modes/a.cpp '#include "inner.h"' 'write "STAGE/FILE.h"'
  must_be_found src/more/a.cpp '' 'belongs to no stage'
  must_be_found src/forms/a.cpp '#include "stillpoint/model.h"' 'below the waist'
  exit
fi

check "$(dirname "$0")/.." && echo "layering: every stage includes only itself and earlier stages"
