# Completion for fish. The tool itself says what may come next: it knows verbs, options and the names in the model.
function __stillpoint_words
    set -l before (commandline -opc)
    set -l word (commandline -ct | string unescape)
    $before[1] __complete -- $before[2..] "$word" 2>/dev/null
end
complete -c stillpoint -f -a '(__stillpoint_words)'
