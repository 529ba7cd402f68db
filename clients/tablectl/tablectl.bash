# Completion for tablectl in bash: commands, options of the command, games, presets and tables.

_tablectl_words() { # the first column of indented help lines, or of `tablectl games`
    tablectl "$@" 2>/dev/null
}

_tablectl() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' i
    local commands games='casebook simulate bot perft start games'
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
    --socket | --check | --db | --passphrase-file | --state)
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
        mapfile -t COMPREPLY < <(compgen -W "$commands --socket --json --help --version" -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_words "$command" --help | sed -n 's/^  \(--[a-z]*\).*/\1/p')" -- "$current")
    elif [[ $command == casebook || $command == config || $command == doctor || $command == backup || $command == restore ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    elif [[ $command == journal ]]; then
        _tablectl_first 'verify export replay' "$current"
    elif [[ $command == enrol ]]; then
        _tablectl_first 'wizard import export' "$current"
    elif [[ " $games " == *" $command "* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_games)" -- "$current")
    elif [[ $command != act && $command != override ]]; then # those begin with an actor
        mapfile -t COMPREPLY < <(compgen -W "$(_tablectl_tables)" -- "$current")
    fi
}

_tablectl_first() { # after the command one of these words, then a file
    if [[ ${COMP_WORDS[COMP_CWORD - 1]} =~ ^(journal|enrol)$ ]]; then
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
    local game
    for game in $(_tablectl_games); do
        _tablectl_words games "$game" | sed -n '/^kinds/{n;p}'
    done
}

_tablectl_tables() {
    local socket=() i
    for ((i = 1; i < ${#COMP_WORDS[@]} - 1; i++)); do
        [[ ${COMP_WORDS[i]} == --socket ]] && socket=(--socket "${COMP_WORDS[i + 1]}")
    done
    _tablectl_words "${socket[@]}" status --json | grep -o '"table":"[a-z0-9-]*"' | cut -d'"' -f4 | sort -u
}

complete -F _tablectl tablectl
