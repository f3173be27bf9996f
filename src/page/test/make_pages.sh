#!/bin/sh
# Makes a page of each kind of case with the built tool:  test/make_pages.sh TOOL CASES FOLDER
set -eu
tool=$1
cases=$2
folder=$3
mkdir -p "$folder"

page() {  # NAME MODEL ARGUMENTS...
  name=$1
  shift
  said=$("$tool" report "$@" -o "$folder/$name.html" 2>&1) || {
    echo "make_pages: no page of $name: $tool report $*: $said" >&2
    exit 1
  }
}

page linkage "$cases/four_bar" --set N=5
page crank_rocker "$cases/crank_rocker"
page pendulum "$cases/pendulum"
page equilibria "$cases/double_pendulum" --equilibria
page in_space "$cases/spatial_double_pendulum"
page loop_in_space "$cases/four_bar_spatial"
page flexible "$cases/flexible_double_pendulum"
page flat "$cases/five_bar_parallelogram"
page singular "$cases/four_bar" --set k=0 --set gx=9.81 --set gy=0 --set phi_guess=0
page redundant "$cases/bricard"
page unstable "$cases/cart_pole" --rest check
page flutter "$cases/ziegler_column" --set P=3 --over P=0.5:3
page free "$cases/free_pair_spatial"
page gyroscopic "$cases/sleeping_top" --rest check
page governor "$cases/governor" --motion 3
page chain "$cases/n_pendulum" --set N=40

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$tool" linearize "$cases/four_bar" -o "$made/four_bar" >/dev/null
page matrices "$made/four_bar"

far="$made/a_model_that_lies_in_a_folder_with_a_name_longer_than_a_narrow_page_has_room_for_in_one_line"
cp -r "$cases/crank_rocker" "$far"
page far "$far"
