# Completion for fish. What there is to offer the program knows itself: `reprise complete WORD...`.
function __reprise_complete
    set -l words (commandline -opc)
    set -l begun (commandline -ct)
    # A name follows the option, or the parameter.
    set -l before (string match -r '^.*[=:]' -- $begun)
    set -l name (string replace -r '^.*[=:]' '' -- $begun)
    for answer in ($words[1] complete $words[2..] "$begun" 2>/dev/null)
        switch $answer
            case \tfolders
                printf "$before%s\n" (__fish_complete_directories "$name" '')
            case \tfiles
                printf "$before%s\n" (__fish_complete_path "$name")
            case '*'
                echo $answer
        end
    end
end
complete -c reprise -f -a '(__reprise_complete)'
