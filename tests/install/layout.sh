#!/bin/sh
# What `cmake --install` puts where: all of it, and nothing else.
#
#   layout.sh PREFIX LIBRARY-FOLDER               such as lib, below the prefix
#   layout.sh PREFIX LIBRARY-FOLDER --self-test   checks that what is missing, left over or old is found

set -eu
source=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
prefix=$1 library=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

must_fail() {  # WHAT
  ! sh "$0" "$scratch/copy" "$library" >/dev/null 2>&1 || { echo "layout: not found: $1" >&2; exit 1; }
  rm -r "$scratch/copy"
  cp -r "$prefix" "$scratch/copy"
}
if [ "${3:-}" = --self-test ]; then
  cp -r "$prefix" "$scratch/copy"
  sh "$0" "$scratch/copy" "$library" >/dev/null
  rm "$scratch/copy/share/man/man1/stillpoint-modes.1.gz"; must_fail "a missing page"
  touch "$scratch/copy/share/stillpoint/left_over"; must_fail "a file too many"
  echo >>"$scratch/copy/share/stillpoint/model.schema.json"; must_fail "an old schema"
  rm "$scratch/copy/include/stillpoint/model.h"; must_fail "a missing header"
  echo "layout: every deviation is found"
  exit
fi

tool=$prefix/bin/stillpoint
failed=

complain() { echo "layout: $*" >&2; failed=yes; }
same() { cmp -s "$1" "$prefix/$2" || complain "$2 is not $1"; }

# The files themselves are compared, so that an old one in the build folder is noticed.
"$tool" __man "$scratch/man"
for page in "$scratch"/man/*; do
  name=$(basename "$page")
  installed=share/man/man${name##*.}/$name.gz
  gzip -dc "$prefix/$installed" 2>/dev/null | cmp -s - "$page" || complain "$installed is not what the tool writes now"
  echo "$installed"
done >"$scratch/expected"
"$tool" schema >"$scratch/schema"
same "$scratch/schema" share/stillpoint/model.schema.json
same "$source/docs/stillpoint_load.m" share/stillpoint/stillpoint_load.m
same "$source/src/packages/completion.bash" share/bash-completion/completions/stillpoint
same "$source/src/packages/completion.zsh" share/zsh/vendor-completions/_stillpoint
same "$source/src/packages/completion.fish" share/fish/vendor_completions.d/stillpoint.fish

cat >>"$scratch/expected" <<END
bin/stillpoint
$library/cmake/stillpoint/stillpoint-config-version.cmake
$library/cmake/stillpoint/stillpoint-config.cmake
$library/cmake/stillpoint/stillpoint-targets.cmake
$library/libstillpoint.a
share/bash-completion/completions/stillpoint
share/fish/vendor_completions.d/stillpoint.fish
share/stillpoint/model.schema.json
share/stillpoint/stillpoint_load.m
share/zsh/vendor-completions/_stillpoint
END
(cd "$source" && find include -name '*.h') >>"$scratch/expected"
# The name of one file has the configuration in it; the Python module and the engine of SLEPc have tests of their own.
(cd "$prefix" && find . -type f ! -path '*/python3*' ! -name 'stillpoint-slepc-*' ! -name 'stillpoint-targets-*.cmake') | sed 's|^\./||' >"$scratch/found"
sort "$scratch/expected" -o "$scratch/expected"
sort "$scratch/found" -o "$scratch/found"
diff "$scratch/expected" "$scratch/found" || complain "< is missing, > is not expected"
[ -z "$failed" ] || exit 1
echo "layout: $(wc -l <"$scratch/found") files are where they belong"
