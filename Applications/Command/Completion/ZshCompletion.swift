/// Completion for zsh: a file for its fpath.
enum ZshCompletion {
    static func script(for syntaxes: [CommandSyntax]) -> String {
        """
        #compdef calotype
        # Completion of calotype for zsh, made by: calotype completion zsh
        _calotype() {
            local context state state_descr line
            typeset -A opt_args
            _arguments -C '(- *)'{-h,--help}'[List the commands.]' '(- *)--version[Print the version.]' \\
                '1:command:->command' '*::argument:->argument'
            case $state in
                command)
                    local -a commands=(
        \(list(syntaxes.firstWords))
                    )
                    _describe -t commands command commands ;;
                argument)
                    case $words[1] in
        \(cases(syntaxes))
                    esac ;;
            esac
        }
        if [[ $funcstack[1] == _calotype ]]; then _calotype "$@"; else compdef _calotype calotype; fi
        """
    }

    private static func cases(_ syntaxes: [CommandSyntax]) -> String {
        syntaxes.firstWords.map { word, _ in
            let members = syntaxes.filter { $0.firstWord == word }
            let body = members[0].secondWord == nil ? arguments(members[0]) : group(members)
            return "                \(word))\n\(body) ;;"
        }.joined(separator: "\n")
    }

    private static func group(_ members: [CommandSyntax]) -> String {
        let words = members.map { ($0.secondWord ?? "", $0.summary) }
        let cases = members.map { "                        \($0.secondWord ?? ""))\n\(arguments($0)) ;;" }
        return """
                            if ((CURRENT == 2)); then
                                local -a members=(
            \(list(words))
                                )
                                _describe -t commands command members
                            else
                                shift words
                                ((CURRENT--))
                                case $words[1] in
            \(cases.joined(separator: "\n"))
                                esac
                            fi
            """
    }

    private static func list(_ words: [(word: String, summary: String)]) -> String {
        words.map { "                " + Shell.zsh.quoted("\($0.word):\($0.summary)") }.joined(separator: "\n")
    }

    private static func arguments(_ syntax: CommandSyntax) -> String {
        var specs = syntax.allOptions.map { spec($0) }
        if let action = action(syntax.offer) {
            specs.append(Shell.zsh.quoted("*:\(escaped(syntax.operands)):\(action)"))
        }
        return "                    _arguments -s -S \\\n"
            + specs.map { "                        \($0)" }.joined(separator: " \\\n")
    }

    /// Returns an option's specification. All options may be repeated: the last one counts.
    private static func spec(_ option: Option) -> String {
        let value = option.placeholder.map { ":\(escaped($0)):\(action(option.offer) ?? "")" } ?? ""
        let text = Shell.zsh.quoted("[\(escaped(option.help))]\(value)")
        let long = "--\(option.name)\(option.placeholder == nil ? "" : "=")"
        guard let letter = option.letter else { return "'*'\(long)\(text)" }
        return "'*'{-\(letter)\(option.placeholder == nil ? "" : "+"),\(long)}\(text)"
    }

    private static func action(_ offer: Offer) -> String? {
        switch offer {
        case .nothing: nil
        case .files: "_files"
        case .directories: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "\\[]:".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
