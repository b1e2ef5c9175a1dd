/// Completion for fish.
enum FishCompletion {
    static func script(for syntaxes: [CommandSyntax]) -> String {
        let head = """
            # Completion of calotype for fish, made by: calotype completion fish
            function __calotype_is --description 'Whether the command line begins with these words'
                set -l words (commandline -opc)
                set -l last (math (count $argv) + 1)
                test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
            end
            function __calotype_has --description 'Whether there are so many words before this one'
                test (count (commandline -opc)) -eq $argv[1]
            end
            complete -c calotype -f
            complete -c calotype -n '__calotype_has 1' -l version -d 'Print the version.'
            complete -c calotype -n '__calotype_has 1' -a help -d 'Explain a command.'
            """
        let words = syntaxes.firstWords.map { word, summary in
            "complete -c calotype -n '__calotype_has 1' -a \(word) -d \(Shell.fish.quoted(summary))"
        }
        let members = syntaxes.compactMap { syntax in
            syntax.secondWord.map { word in
                "complete -c calotype -n '__calotype_has 2; and __calotype_is \(syntax.firstWord)' -a \(word)"
                    + " -d \(Shell.fish.quoted(syntax.summary))"
            }
        }
        return ([head] + words + members + syntaxes.map(lines)).joined(separator: "\n")
    }

    private static func lines(_ syntax: CommandSyntax) -> String {
        let start = "complete -c calotype -n '__calotype_is \(syntax.name)'"
        var lines = syntax.allOptions.map { option in
            let letter = option.letter.map { " -s \($0)" } ?? ""
            let value = option.placeholder == nil ? "" : " \(values(option.offer))"
            return "\(start)\(letter) -l \(option.name)\(value) -d \(Shell.fish.quoted(option.help))"
        }
        if syntax.offer != .nothing { lines.append("\(start) \(operands(syntax.offer))") }
        return lines.joined(separator: "\n")
    }

    private static func values(_ offer: Offer) -> String {
        switch offer {
        case .nothing: "-x"
        case .files: "-r -F"
        case .directories: "-x -a '(__fish_complete_directories)'"
        case .words(let words): "-x -a \(Shell.fish.quoted(words.joined(separator: " ")))"
        }
    }

    private static func operands(_ offer: Offer) -> String {
        switch offer {
        case .nothing, .files: "-F"
        case .directories: "-a '(__fish_complete_directories)'"
        case .words(let words): "-a \(Shell.fish.quoted(words.joined(separator: " ")))"
        }
    }
}
