package import CalotypeBase

/// A value of an option, with its location: the command line, the environment or the configuration file.
package struct GivenValue: Hashable, Sendable {
    /// The value as given. Only the path of a file need not be UTF-8.
    package let bytes: ByteString
    package let location: Location
    /// The word of the command line that has the value behind the letter of its option, such as "-q80"; otherwise `nil`.
    package let word: ByteString?
    /// The text that leads to the value, such as "@/run/secrets/key"; `nil` if the value is given as it is.
    package let reference: ByteString?

    package init(bytes: ByteString, location: Location, word: ByteString? = nil, reference: ByteString? = nil) {
        (self.bytes, self.location, self.word, self.reference) = (bytes, location, word, reference)
    }

    package init(text: String, location: Location) { self.init(bytes: ByteString(text), location: location) }

    package var text: String { bytes.displayed }

    /// The location of a value, in ascending order of precedence.
    package enum Location: Hashable, Sendable {
        case file(path: String, line: Int)
        case environment(String)
        case commandLine

        package var rank: Int {
            switch self {
            case .file: 0
            case .environment: 1
            case .commandLine: 2
            }
        }
    }

    /// Returns the option with its value, for messages: "--timeout 5", "CALOTYPE_TIMEOUT=5",
    /// "/home/me/config:3: timeout = 5". A secret is "…", and a value that was read from a file is that file.
    package func written(as option: Option) -> String {
        let text = reference?.displayed ?? shown(as: option)
        return switch location {
        case .file(let path, let line): "\(path):\(line): \(option.name) = \(text)"
        case .environment(let name): "\(name)=\(text)"
        case .commandLine: text.isEmpty ? "--\(option.name)" : "--\(option.name) \(text)"
        }
    }

    /// Returns the value for output: "…" for a secret.
    package func shown(as option: Option) -> String { option.isSecret && !bytes.isEmpty ? "…" : text }
}

extension Bool {
    /// Parses "yes", "true", "on" or "1", or "no", "false", "off" or "0", in any case; `nil` for other texts.
    package init?(switch text: String) {
        switch text.lowercased() {
        case "yes", "true", "on", "1": self = true
        case "no", "false", "off", "0": self = false
        default: return nil
        }
    }
}
