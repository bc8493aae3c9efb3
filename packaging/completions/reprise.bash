# shellcheck shell=bash
# Completion for bash. What there is to offer the program knows itself: `reprise complete WORD...`.
_reprise()
{
    local line=${COMP_LINE:0:COMP_POINT} answer begun name kind
    local -a words
    # By blanks alone: the shell has cut the words at each = and : too.
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    begun=${words[-1]}
    COMPREPLY=()
    while IFS= read -r answer; do
        case $answer in
        $'\tfolders' | $'\tfiles')
            # A name follows the option, or the parameter. It is complete only where it is a file.
            kind=-f
            [[ $answer == *folders ]] && kind=-d
            while IFS= read -r name; do
                [[ -d $name ]] && name+=/
                COMPREPLY+=("${begun%"${begun##*[=:]}"}$name")
            done < <(compgen $kind -- "${begun##*[=:]}")
            ;;
        "$begun"*) COMPREPLY+=("${answer%%$'\t'*}") ;;
        esac
    done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
    [[ ${COMPREPLY[0]-} == *[=:/] ]] && compopt -o nospace 2>/dev/null
    # What the shell has cut off the word stays where it is.
    [[ $begun == *[=:]* ]] && COMPREPLY=("${COMPREPLY[@]#"${begun%"${begun##*[=:]}"}"}")
    return 0
}
complete -F _reprise reprise
