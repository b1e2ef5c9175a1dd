import Calotype
package import CalotypeBase

/// An error in the command line, as one line. The process ends with status 2.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    /// The command whose help explains more; `nil` if no command was recognized.
    package let command: String?

    package init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }

    /// Returns the error with a hint if the word that was read as an option is probably the name of a file: if there is
    /// such a file, or if the word has an image's extension and no option's "=".
    package func hinting(at word: ByteString?) -> UsageError {
        guard let word, LocalPath(word).exists || FileName.isImage(word) && !word.contains(UInt8(ascii: "=")) else {
            return self
        }
        return UsageError("\(message); for the file \(word.displayed), write ./\(word.displayed)", command: command)
    }

    package var description: String {
        let help = command.map { "calotype \($0) --help" } ?? "calotype --help"
        return "\(message) (see \(help))"
    }
}
