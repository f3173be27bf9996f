# Completion for bash. The tool itself says what may come next: it knows verbs, options and the names in the model. It
# also quotes words as bash needs them, and puts a space behind those that are whole.
_stillpoint() {
  local program=${COMP_WORDS[0]/#\~\//$HOME/}
  mapfile -t COMPREPLY < <("$program" __complete --bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o nospace -F _stillpoint stillpoint
