#compdef stillpoint
# Completion for zsh. The tool itself says what may come next: it knows verbs, options and the names in the model.
_stillpoint() {
  local program=${(Q)words[1]} word meaning
  local -a before=("${(@Q)words[2,CURRENT-1]}") whole whole_shown begun begun_shown
  [[ $program == '~/'* ]] && program=$HOME/${program#'~/'}
  while IFS=$'\t' read -r word meaning; do
    if [[ $word == *[=/,:] ]]; then  # the user goes on with the same word
      begun+=("$word") begun_shown+=("$word${meaning:+  -- $meaning}")
    else
      whole+=("$word") whole_shown+=("$word${meaning:+  -- $meaning}")
    fi
  done < <("$program" __complete -- "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)
  compadd -U -l -d whole_shown -a whole
  compadd -U -l -d begun_shown -S '' -a begun
}
_stillpoint "$@"
