# Completion for tablectl in bash: commands, options of the command, games, presets and tables.

_tablectl_words() { # the first column of indented help lines, or of `tablectl games`
    tablectl "$@" 2>/dev/null
}

_tablectl() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' i
    local commands games='simulate bot perft games'
    COMPREPLY=()
    commands=$(_tablectl_words --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p')
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --socket) ((i++)) ;;
        -*) ;;
        *) command=${COMP_WORDS[i]} && break ;;
        esac
    done
    case $previous in
    --role)
        mapfile -t COMPREPLY < <(compgen -W 'admin operator display seat' -- "$current")
        return
        ;;
    --lang)
        mapfile -t COMPREPLY < <(compgen -W 'en es it zh' -- "$current")
        return
        ;;
    --seat)
        mapfile -t COMPREPLY < <(compgen -W "$(printf 's%d ' {1..16})" -- "$current")
        return
        ;;
    --user)
        mapfile -t COMPREPLY < <(compgen -W 'display narrator lights operator reader' -S = -- "$current")
        [[ $(type -t compopt) == builtin && -n ${COMP_TYPE:-} ]] && compopt -o nospace
        return
        ;;
    --socket | --check | --db | --passphrase-file | --state | --dir | --cert)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    --against)
        mapfile -t COMPREPLY < <(compgen -W 'random bot' -- "$current")
        return
        ;;
    --face)
        mapfile -t COMPREPLY < <(compgen -W 'up down' -- "$current")
        return
        ;;
    --table)
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_tables)" -- "$current")
        return
        ;;
    --kind)
        mapfile -t COMPREPLY < <(compgen -W "control $(_tablectl_kinds)" -- "$current")
        return
        ;;
    --option)
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_options)" -S = -- "$current")
        [[ $(type -t compopt) == builtin && -n ${COMP_TYPE:-} ]] && compopt -o nospace
        return
        ;;
    --game)
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_games)" -- "$current")
        return
        ;;
    --preset)
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_presets)" -- "$current")
        return
        ;;
    esac
    if [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands help --socket --json --help --version" -- "$current")
    elif [[ $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_words "$command" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p')" -- "$current")
    elif [[ $command == casebook || $command == config || $command == doctor || $command == backup || $command == restore ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    elif [[ $command == journal ]]; then
        _tablectl_first 'verify export replay' "$current"
    elif [[ $command == enrol ]]; then
        _tablectl_first 'wizard import export' "$current"
    elif [[ $command == voice ]]; then
        _tablectl_first 'render' "$current"
    elif [[ $command == start ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_games) $(_tablectl_tables)" -- "$current")
    elif [[ " $games " == *" $command "* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_games)" -- "$current")
    elif [[ ! $command =~ ^(act|override|pair|broker|version)$ ]]; then # an actor comes first, or no word at all
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_tables)" -- "$current")
    fi
}

_tablectl_first() { # after the command one of these words, then a file
    if [[ ${COMP_WORDS[COMP_CWORD - 1]} =~ ^(journal|enrol|voice)$ ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$2")
    fi
}

_tablectl_games() { _tablectl_words games | sed 's/ .*//'; }

_tablectl_of_games() { # `tablectl games GAME` of each game that is named on the line
    local word
    for word in "${COMP_WORDS[@]:2}"; do
        [[ $word =~ ^[a-z0-9_]+$ ]] && _tablectl_words games "$word"
    done
}

_tablectl_presets() { _tablectl_of_games | sed -n '/^presets:/,/^$/s/^  \([a-z0-9_]*\) .*/\1/p'; }

_tablectl_options() { _tablectl_of_games | sed -n '/^options:/,/^$/s/^  \([a-z0-9_]*\) .*/\1/p'; }

_tablectl_kinds() { # of all games
    _tablectl_words games --json | grep -o '"kinds":\[[^]]*' | cut -d'[' -f2 | tr -d '"' | tr ',' ' '
}

_tablectl_tables() {
    local socket=() i
    for ((i = 1; i < ${#COMP_WORDS[@]} - 1; i++)); do
        [[ ${COMP_WORDS[i]} == --socket ]] && socket=(--socket "${COMP_WORDS[i + 1]}")
    done
    _tablectl_words "${socket[@]}" status --json | grep -o '"table":"[a-z0-9-]*"' | cut -d'"' -f4 | sort -u
}

complete -F _tablectl tablectl
