/// Completion for bash 4 and newer, without the package bash-completion.
enum BashCompletion {
    static func script(for syntaxes: [CommandSyntax]) -> String {
        let names = syntaxes.firstWords.map(\.word).joined(separator: " ")
        return """
            # Completion of calotype for bash, made by: calotype completion bash
            _calotype() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
                # Bash takes --name=value apart.
                if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
                COMPREPLY=()
                if ((COMP_CWORD == 1)); then _calotype_words "\(names) help --help --version"; return; fi
                case $command in
                    help) _calotype_words "\(names)"; return ;;
            \(groups(syntaxes))
                esac
                case "$command $before" in
            \(values(syntaxes))
                esac
                case $command in
            \(syntaxes.map(options).joined(separator: "\n"))
                esac
            }
            _calotype_words() {
                mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
                [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
            }
            _calotype_files() { compopt -o default; }
            _calotype_directories() { compopt -o dirnames; }
            complete -F _calotype calotype
            """
    }

    private static func groups(_ syntaxes: [CommandSyntax]) -> String {
        let groups = syntaxes.filter { $0.secondWord != nil }.firstWords.map(\.word)
        return groups.map { group in
            let words = syntaxes.filter { $0.firstWord == group }.compactMap(\.secondWord).joined(separator: " ")
            return """
                        \(group)) if ((COMP_CWORD == 2)); then _calotype_words "\(words)"; return; fi
                            command="\(group) ${COMP_WORDS[2]}" ;;
                """
        }.joined(separator: "\n")
    }

    private static func values(_ syntaxes: [CommandSyntax]) -> String {
        syntaxes.flatMap { syntax in
            syntax.options.filter { $0.placeholder != nil }.map { option in
                let spellings = option.spellings.map { "\"\(syntax.name) \($0)\"" }.joined(separator: " | ")
                let answer = call(option.offer).map { "\($0); " } ?? ""
                return "        \(spellings)) \(answer)return ;;"
            }
        }.joined(separator: "\n")
    }

    private static func options(_ syntax: CommandSyntax) -> String {
        let words = syntax.allOptions.map { "--\($0.name)" }.joined(separator: " ")
        let operands = call(syntax.offer).map { " else \($0);" } ?? ""
        return "        \"\(syntax.name)\") if [[ $word == -* ]]; then _calotype_words \"\(words)\";\(operands) fi ;;"
    }

    private static func call(_ offer: Offer) -> String? {
        switch offer {
        case .nothing: nil
        case .files: "_calotype_files"
        case .directories: "_calotype_directories"
        case .words(let words): "_calotype_words \"\(words.joined(separator: " "))\""
        }
    }
}

extension Option {
    /// "--size" and "-s".
    var spellings: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}
