#!/bin/sh
# Zeros by zero of Octave's control package, for the tests to compare with: writes tests/zeros/octave_zeros.txt.
#
#   tests/campaign/octave_zeros.sh          needs octave with its package control, and a build of the tool
#
# Each line of tests/zeros/plants.txt is a case, its settings (or -), inputs and outputs (or -). The result has a line
# for each plant: the same words, and, each list after a bar, as Re,Im: the invariant, input-decoupling and
# output-decoupling zeros; the eigenvalues that fail the test of Hautus with B, and with C.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tool=$root/build/release/stillpoint
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

number=0
while read -r model settings inputs outputs; do
  case $model in ''|'#'*) continue ;; esac
  number=$((number + 1))
  set -- export "$root/cases/$model" --anyway --uncertified --quiet -o "$work/$number.mat"
  if [ "$settings" != - ]; then for each in $(echo "$settings" | tr ';' ' '); do set -- "$@" "--$each"; done; fi
  if [ "$inputs" != - ]; then set -- "$@" --input "$inputs"; fi
  if [ "$outputs" != - ]; then set -- "$@" --output "$outputs"; fi
  "$tool" "$@" >/dev/null || { echo "no plant: $model $settings $inputs $outputs" >&2; continue; }
  echo "$number $model $settings $inputs $outputs" >>"$work/list"
done <"$root/tests/zeros/plants.txt"

cat >"$work/find_all.m" <<'OCTAVE'
pkg load control
list = fopen ('list');
while ischar (line = fgetl (list))
  [number, words] = strtok (line);
  content = load ([number '.mat']);
  plant = content.stillpoint;
  order = plant.InputOrder(:)';
  if any (order > 0)   % u' and u'' are not inputs of their own
    fprintf (stderr, 'rates of inputs: %s\n', words);
    continue
  end
  sys = ss (plant.A, plant.B, plant.C, plant.D);
  printf ('%s', strtrim (words));
  for kind = {'invariant', 'input', 'output'}
    z = zero (sys, kind{1});
    printf (' |');
    printf (' %.17g,%.17g', [real(z(:))'; imag(z(:))']);
  end
  [n, m] = size (plant.B);
  for side = 1:2   % Hautus' test of each eigenvalue
    hidden = [];
    for s = eig (plant.A).'
      if side == 1
        test = [s * eye(n) - plant.A, plant.B];
      else
        test = [s * eye(n) - plant.A; plant.C];
      end
      if min (svd (test)) < 1e-9 * norm (test)
        hidden(end + 1) = s;
      end
    end
    printf (' |');
    printf (' %.17g,%.17g', [real(hidden(:))'; imag(hidden(:))']);
  end
  printf ('\n');
end
OCTAVE
(cd "$work" && octave-cli --norc find_all.m) >"$work/result"
{
  echo "# Zeros by zero of the package control $(octave-cli --norc --eval "v = pkg ('describe', 'control'); printf ('%s', v{1}.version)"), GNU Octave $(octave-cli --norc --eval 'printf ("%s", version)')."
  echo "# Made by tests/campaign/octave_zeros.sh from tests/zeros/plants.txt."
  cat "$work/result"
} >"$root/tests/zeros/octave_zeros.txt"
