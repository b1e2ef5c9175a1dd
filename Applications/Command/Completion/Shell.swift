/// A shell for which `calotype completion` has a script.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    func line(_ completion: Completion) -> String {
        guard !completion.help.isEmpty, self != .bash else { return completion.word }
        return completion.word + (self == .zsh ? ":" : "\t") + completion.help
    }

    /// The script that gets the completions of a command line from `calotype`.
    var script: String {
        switch self {
        case .bash:
            """
            # Completion of calotype for bash 4 and newer, made by: calotype completion bash
            _calotype() {
                local line
                COMPREPLY=()
                while read -r line; do
                    case $line in
                        :files) compopt -o default ;;
                        :directories) compopt -o dirnames ;;
                        *) COMPREPLY+=("$line") ;;
                    esac
                done < <("$1" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
            }
            complete -F _calotype calotype
            """
        case .zsh:
            """
            #compdef calotype
            # Completion of calotype for zsh, made by: calotype completion zsh
            _calotype() {
                local line
                local -a complete open
                for line in ${(f)"$($words[1] completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
                    case $line in
                        :files) compset -P '--*='; _files; return ;;
                        :directories) compset -P '--*='; _files -/; return ;;
                        *=) open+=$line ;;
                        *) complete+=$line ;;
                    esac
                done
                compadd -S '' -a open
                _describe -t values value complete || ((${#open}))
            }
            if [[ $funcstack[1] == _calotype ]]; then _calotype "$@"; else compdef _calotype calotype; fi
            """
        case .fish:
            """
            # Completion of calotype for fish, made by: calotype completion fish
            function __calotype_complete
                set -l word (commandline -ct)
                set -l words (commandline -opc)
                set -e words[1]
                set -l option (string match -r -- '^--[^=]*=' $word)
                set -l value (string replace -r -- '^--[^=]*=' '' $word)
                for line in (calotype completion fish -- $words "$word" 2>/dev/null)
                    switch $line
                        case :files
                            for path in (__fish_complete_path $value); echo "$option$path"; end
                        case :directories
                            for path in (__fish_complete_directories $value); echo "$option$path"; end
                        case '*'
                            echo $line
                    end
                end
            end
            complete -c calotype -f -a '(__calotype_complete)'
            """
        }
    }
}
