import CalotypeBase
import Foundation

extension Calotype {
    /// Runs a line of the shell in the current directory, where `calotype` is the command. In contrast to `Process`,
    /// the shell passes any bytes: `$(printf '\377')` is a byte that no UTF-8 contains.
    func shell(_ line: String) async throws -> Ending {
        let script = "calotype() { \"$command\" \"$@\"; }\n\(line)"
        return try await Child(
            ["-c", script], in: self, input: Data(), environment: ["command": Child.executable.path],
            program: "/bin/sh"
        ).ending()
    }

    /// The path of a file below the current directory.
    func path(_ below: LocalPath) -> LocalPath { LocalPath(text: directory.path).appending(below) }
}
