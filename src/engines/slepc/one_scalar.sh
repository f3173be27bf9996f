#!/bin/sh
# one_scalar.sh PROGRAM real|complex: fails unless the program links SLEPc and PETSc of that type alone.
# A program that mixes them compiles, links, runs, and dies of numbers that make no sense.
set -eu
linked=$(ldd "$1" | sed -n 's/^[[:space:]]*lib\(slepc\|petsc\)_\([a-z]*\)\.so.*/\1 \2/p' | sort -u)
[ "$linked" = "petsc $2
slepc $2" ] || {
  echo "$1 links: $linked; it must link petsc and slepc with $2 numbers alone" >&2
  exit 1
}
