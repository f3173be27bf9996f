#!/bin/sh
# The Debian packages: what is in them, what they need, and that they run.
#
#   tests/packages.sh FOLDER               checks the .deb files there
#   tests/packages.sh --self-test          checks that a binary under the GPL is refused
#   tests/packages.sh FOLDER --clean-root  also installs them into a fresh Debian in a folder, runs them there, and removes
#                                          them without a trace (as root, with debootstrap and a network)

set -eu
source=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

complain() { echo "packages: $*" >&2; exit 1; }

# What a binary may need: none of these is under the GPL (docs/dependencies.md). What is new is looked up first.
free_of_the_gpl='libamd.so.2 libblas.so.3 libbtf.so.1 libcamd.so.2 libc.so.6 libfmt.so.9 libgcc_s.so.1 libklu.so.1 liblapack.so.3
libm.so.6 libstdc++.so.6 libtcmalloc_minimal.so.4 libyaml-cpp.so.0.7 libz.so.1 ld-linux-x86-64.so.2'
# What these may load in turn must not be one of Debian's libraries under the GPL either.
under_the_gpl='cholmod|umfpack|spqr|readline|gsl|fftw'

check_licences() {  # BINARY
  readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$scratch/needed"
  [ -s "$scratch/needed" ] || { echo "$1 needs no library at all"; return 1; }
  while read -r library; do
    case " $(echo $free_of_the_gpl) " in
      *" $library "*) ;;
      *) echo "$1 needs $library, which is not known to be free of the GPL"; return 1 ;;
    esac
  done <"$scratch/needed"
  if ldd "$1" | grep -E "$under_the_gpl"; then
    echo "$1 loads these, which are under the GPL"
    return 1
  fi
}

self_test() {
  for library in cholmod umfpack; do
    [ -e "/usr/lib/$(gcc -print-multiarch)/lib$library.so" ] || complain "lib$library is not here: libsuitesparse-dev"
    echo 'int main() { return 0; }' >"$scratch/empty.c"
    gcc "$scratch/empty.c" -o "$scratch/with_$library" -Wl,--no-as-needed "-l$library"
    ! check_licences "$scratch/with_$library" >/dev/null || complain "a program with $library is taken for free of the GPL"
  done
  gcc "$scratch/empty.c" -o "$scratch/free"
  check_licences "$scratch/free" >/dev/null || complain "a program with the C library alone is refused"
  echo "packages: a binary under the GPL is refused"
}

field() { dpkg-deb -f "$1" "$2"; }

require_words() {  # WHAT TEXT WORDS...
  what=$1 text=$2
  shift 2
  for word in "$@"; do
    case "$text" in
      *"$word"*) ;;
      *) complain "$what has no '$word': $text" ;;
    esac
  done
}

check_every_package() {  # DEB NAME
  require_words "$1" "$(field "$1" Package)" "$2"
  require_words "$1: Description" "$(field "$1" Description | head -1)" "linearization and modal analysis of multibody systems"
  for key in Version Architecture Section Maintainer Depends; do
    [ -n "$(field "$1" $key)" ] || complain "$1 has no field $key"
  done
  root=$scratch/$2
  dpkg-deb -x "$1" "$root"
  [ -s "$root/usr/share/doc/$2/copyright" ] || complain "$1 has no copyright file"
  gzip -dc "$root/usr/share/doc/$2/changelog.Debian.gz" | dpkg-parsechangelog -l - -S Version >"$scratch/version"
  [ "$(cat "$scratch/version")" = "$(field "$1" Version)" ] || complain "$1: the changelog is that of another version"
  for file in $(find "$root" -type f -perm -u+x ! -path '*/include/*') $(find "$root" -name '*.so'); do
    check_licences "$file" || complain "see above"
  done
}

check_tool() {  # ROOT
  tool=$1/usr/bin/stillpoint
  "$tool" modes "$source/cases/four_bar" --set N=5 >"$scratch/modes"
  require_words "the modes" "$(cat "$scratch/modes")" "1.545522030" "2 of 2 true"
  require_words "the doctor" "$("$tool" doctor)" "the known answers are reproduced" "CHOLMOD        none"
  LC_ALL=C.UTF-8 MANPAGER=cat man -l "$1/usr/share/man/man1/stillpoint-modes.1.gz" >"$scratch/page"
  require_words "the page" "$(cat "$scratch/page")" "stillpoint modes [OPTIONS] MODEL"
  "$tool" schema >"$scratch/schema"
  cmp "$scratch/schema" "$1/usr/share/stillpoint/model.schema.json" || complain "the schema is another one"
  echo "packages: the tool of the package runs"
}

check_library() {  # ROOT
  cmake -S "$source/tests/install" -B "$scratch/stranger" "-DCMAKE_PREFIX_PATH=$1/usr" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/stranger" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; complain "a stranger's project fails"; }
  (cd "$scratch" && stranger/stranger) || complain "a stranger's program fails"
  check_licences "$scratch/stranger/stranger" || complain "see above"
  grep -q 'stillpoint_CHOLMOD OFF' "$1/usr/lib/cmake/stillpoint/stillpoint-config.cmake" || complain "it has CHOLMOD"
  echo "packages: a stranger's project builds on the library of the package"
}

check_module() {  # ROOT
  folder_of_modules=$1/usr/lib/python3/dist-packages
  [ "$(find "$1" -name '_core*.so')" = "$(echo "$folder_of_modules"/stillpoint/_core*.so)" ] ||
    complain "the module is not there once: $(find "$1" -name '_core*')"
  (cd / && PYTHONPATH=$folder_of_modules /usr/bin/python3 -B -c "
import stillpoint
assert stillpoint.__file__.startswith('$1'), stillpoint.__file__
print('packages: import stillpoint:', stillpoint.read_model('$source/cases/four_bar').modes().verdict)") ||
    complain "import stillpoint fails"
}

check_with_lintian() {  # DEBS
  command -v lintian >/dev/null || { echo "packages: lintian is not here, and nothing is asked of it"; return; }
  # Nobody asked Debian for this package, so there is no such report to close.
  lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$@" ||
    complain "lintian has found something"
  echo "packages: lintian has nothing to say"
}

# ---------------------------------------------------------------------------------------------------------------------
# A fresh Debian

in_root() { chroot "$fresh" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

# Caches and logs are not those of a package.
files_of_root() { (cd "$fresh" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/log -o -path ./var/lib \
  -o -path ./root -o -path ./tmp \) -prune -o \( ! -name ld.so.cache -print \) | sort); }

install_in_clean_root() {  # DEBS
  fresh=$scratch/debian
  debootstrap --variant=minbase bookworm "$fresh" >"$scratch/log" 2>&1 || { tail "$scratch/log"; complain "debootstrap"; }
  in_root apt-get install -y --no-install-recommends man-db >"$scratch/log" 2>&1 || { tail "$scratch/log"; complain "man-db"; }
  rm -f "$fresh/etc/dpkg/dpkg.cfg.d/docker"  # it would leave out manual pages
  files_of_root >"$scratch/before"
  cp "$@" "$fresh/root"
  cp -r "$source/cases" "$fresh/root/cases"
  in_root sh -c 'apt-get install -y --no-install-recommends /root/*.deb' >"$scratch/log" 2>&1 ||
    { tail "$scratch/log"; complain "the packages cannot be installed"; }
  grep -E 'newly installed|disk space' "$scratch/log"
  require_words "the modes" "$(in_root stillpoint modes /root/cases/four_bar --set N=5)" "1.545522030" "2 of 2 true"
  require_words "the page" "$(in_root env MANPAGER=cat man stillpoint)" "stillpoint-modes(1)"
  require_words "the page" "$(in_root env MANPAGER=cat man stillpoint-model)" "ENTRIES IN THE PLANE"
  require_words "completion" "$(in_root stillpoint __complete -- modes /root/cases/four_bar --set l)" "l0="
  echo "packages: in a fresh Debian the tool computes, and man shows its pages"
  if [ -n "$(find "$fresh/usr/lib/python3" -name 'stillpoint' 2>/dev/null)" ]; then
    in_root python3 -c 'import stillpoint; print(stillpoint.read_model("/root/cases/four_bar").modes().verdict)'
  fi
  in_root sh -c "apt-get purge -y '*stillpoint*' && apt-get autoremove --purge -y" >"$scratch/log" 2>&1 ||
    { tail "$scratch/log"; complain "the packages cannot be removed"; }
  files_of_root >"$scratch/after"
  diff "$scratch/before" "$scratch/after" || complain "these files are left, or gone"
  ! in_root dpkg -l | grep stillpoint || complain "dpkg still knows the package"
  echo "packages: removed without a trace"
}

main() {
  [ "${1:-}" != --self-test ] || { self_test; return; }
  folder=$(CDPATH= cd -- "${1:?the folder with the packages}" && pwd)
  for deb in "$folder"/*.deb; do
    name=$(basename "$deb" | sed 's/_.*//')
    check_every_package "$deb" "$name"
  done
  check_tool "$scratch/stillpoint"
  check_library "$scratch/libstillpoint-dev"
  [ ! -d "$scratch/python3-stillpoint" ] || check_module "$scratch/python3-stillpoint"
  check_with_lintian "$folder"/*.deb
  [ "${2:-}" != --clean-root ] || install_in_clean_root "$folder"/*.deb
}

main "$@"
