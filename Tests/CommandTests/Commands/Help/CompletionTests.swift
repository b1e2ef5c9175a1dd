import Foundation
import Testing

@testable import calotype_command

/// `calotype completion`, evaluated by the shells themselves.
struct CompletionTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    private static func path(of shell: Shell) -> String? {
        ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(shell.rawValue)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static let installed = Shell.allCases.filter { path(of: $0) != nil }

    private func shell(_ shell: Shell, _ arguments: [String]) async throws -> Calotype.Ending {
        let path = try #require(Self.path(of: shell))
        // The scripts start the command.
        let folders = "\(Child.executable.deletingLastPathComponent().path):/usr/bin:/bin"
        return try await Child(
            arguments, in: calotype, input: Data(), environment: ["PATH": folders], program: path
        ).ending()
    }

    @Test(arguments: installed)
    func `the shell finds no mistake in its script`(_ name: Shell) async throws {
        let script = try await calotype("completion", name.rawValue)
        #expect(script.status == 0 && script.errors == "")
        let file = try calotype.write(script.output, to: "script")
        let ending = try await shell(name, name == .fish ? ["--no-execute", file] : ["-n", file])
        #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
    }

    @Test(arguments: Commands.syntaxes.map(\.name))
    func `every command has all its options`(_ name: String) throws {
        let syntax = try #require(Commands.syntaxes.first { $0.name == name })
        let words = name.split(separator: " ").map(String.init)
        let options = Completion.candidates(for: words + ["-"])
        #expect(options.map(\.word) == syntax.allOptions.map { "--\($0.name)" })
        #expect(options.map(\.help) == syntax.allOptions.map(\.help))
        for option in syntax.options where option.placeholder != nil {
            let values = Completion.candidates(for: words + ["--\(option.name)", ""]).map(\.word)
            switch option.offer {
            case .nothing: #expect(values == [])
            case .files: #expect(values == [":files"])
            case .directories: #expect(values == [":directories"])
            case .words(let known): #expect(values == known)
            }
        }
    }

    /// Returns bash's completions for the last of the words.
    private func offered(_ words: String...) async throws -> Set<String> {
        let script = try await calotype("completion", "bash")
        let file = try calotype.write(script.output, to: "script.bash")
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let command = """
            compopt() { echo "compopt $*"; }
            source '\(file)'
            COMP_WORDS=(calotype \(quoted)); COMP_CWORD=\(words.count)
            _calotype calotype
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return Set(try await shell(.bash, ["-c", command]).lines)
    }

    @Test func `bash completes commands, options, values and files`() async throws {
        #expect(try await offered("res") == ["resize"])
        #expect(try await offered("cache", "st") == ["stats"])
        #expect(try await offered("cache", "trim", "--by") == ["--bytes"])
        #expect(try await offered("resize", "--quality-") == ["--quality-target"])
        #expect(try await offered("fetch", "--policy", "re") == ["reload"])
        #expect(try await offered("fetch", "--policy", "=", "re") == ["reload"])
        #expect(try await offered("resize", "-f", "w") == ["webp"])
        #expect(try await offered("resize", "--step", "bl") == ["blur=", "compopt -o nospace"])
        #expect(try await offered("info", "").contains("compopt -o default"))
        #expect(try await offered("fetch", "--size", "") == [])
    }

    @Test(.enabled(if: installed.contains(.fish), "fish is not installed"))
    func `fish completes commands, options and values`() async throws {
        let script = try await calotype("completion", "fish")
        let file = try calotype.write(script.output, to: "script.fish")
        for (line, expected) in [
            ("calotype resi", "resize"), ("calotype cache ve", "verify"), ("calotype resize --crop", "--crop"),
            ("calotype fetch --policy rel", "reload"), ("calotype fetch --policy=rel", "--policy=reload"),
            ("calotype info scr", "script.fish"), ("calotype fetch --from=scr", "--from=script.fish"),
        ] {
            let ending = try await shell(.fish, ["--no-config", "-c", "source '\(file)'; complete -C '\(line)'"])
            #expect(ending.lines.contains { $0.hasPrefix(expected) }, "\(line): \(ending.lines) \(ending.errors)")
        }
    }

    @Test(.enabled(if: installed.contains(.zsh), "zsh is not installed"), .timeLimit(.minutes(1)))
    func `zsh completes commands, options, values and files`() async throws {
        let script = try await calotype("completion", "zsh")
        let file = try calotype.write(script.output, to: "script.zsh")
        for (line, expected) in [
            ("calotype resi", "resize"), ("calotype cache ve", "verify"), ("calotype resize --quality-", "target"),
            ("calotype fetch --policy rel", "reload"), ("calotype fetch --policy=rel", "reload"),
            ("calotype resize --step blu", "blur="), ("calotype info scr", "script.zsh"),
        ] {
            // A second shell, at a terminal, completes the line.
            let lines = """
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell 'PS1=; autoload -Uz compinit; compinit -D -u; source "\(file)"; print ready'
                zpty -r shell output '*ready*ready*'
                zpty -w -n shell $'\(line)\t'
                zpty -r -m shell output '*\(expected)*' && print -r -- "$output"
                """
            let ending = try await shell(.zsh, ["-f", "-c", lines])
            #expect(ending.lines.contains { $0.contains(expected) }, "\(line): \(ending.lines) \(ending.errors)")
        }
    }
}
