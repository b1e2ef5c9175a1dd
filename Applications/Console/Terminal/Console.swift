import CalotypeBase
package import Foundation

/// The command's output. Results go to standard output, everything else to standard error. On a terminal, a status line
/// stays at the bottom while other lines scroll.
package final class Console: Sendable {
    private struct State {
        var status: String?
        /// Whether standard output has failed because its reader has left or its disk is full.
        var isBroken = false
    }

    /// Whether standard error is a terminal that can show a status line.
    package let showsStatus: Bool
    package let usesColor: Bool
    /// The width of the terminal, in columns; without a terminal, that in COLUMNS, or 80.
    package let width: Int
    private let output = Stream.output
    private let errors = Stream.errors
    private let state = Locked(State())
    private let onLostOutput: @Sendable (FileError) -> Void

    /// - Parameter onLostOutput: Called once, when a write to standard output fails.
    package init(environment: [String: String], onLostOutput: @escaping @Sendable (FileError) -> Void) {
        let isDumb = environment["TERM"] == "dumb"
        showsStatus = errors.isTerminal && !isDumb
        // https://no-color.org: any value except an empty one turns colors off.
        usesColor = showsStatus && (environment["NO_COLOR"] ?? "").isEmpty
        width = output.width ?? errors.width ?? environment["COLUMNS"].flatMap(Int.init) ?? 80
        self.onLostOutput = onLostOutput
    }

    package func line(_ text: String) { write(Data((text + "\n").utf8)) }

    /// - Parameter end: The byte after the line. The default is a newline.
    package func line(_ line: OutputLine, end: UInt8 = UInt8(ascii: "\n")) {
        let bytes = output.isTerminal ? ByteString(line.shown) : line.bytes
        write(Data(bytes.bytes + [end]))
    }

    package func write(_ data: Data) {
        let failure: FileError? = state.withLock { state in
            guard !state.isBroken else { return nil }
            hide(state.status)
            defer { show(state.status) }
            do throws(FileError) { try output.write(data) } catch {
                state.isBroken = true
                return error
            }
            return nil
        }
        if let failure { onLostOutput(failure) }
    }

    /// Writes an error, with control characters from URLs and servers escaped, and without users and passwords in URLs.
    package func complain(_ text: String) { message(complaint(text)) }

    /// Returns the line that ``complain(_:)`` writes.
    package func complaint(_ text: String) -> String {
        let line = "calotype: \(Console.plain(text))"
        return usesColor ? "\u{1B}[31m\(line)\u{1B}[0m" : line
    }

    /// Writes a line that is not an error to standard error.
    package func note(_ text: String) { message(Console.plain(text)) }

    /// Returns the line that ``note(_:)`` writes.
    package static func plain(_ text: String) -> String { printable(text.withoutUserInfo) }

    /// Writes lines to standard error at once, as they stand, each with its line feed.
    package func record(_ lines: [UInt8]) { write(toErrors: Data(lines)) }

    /// Replaces the status line; `nil` removes it. Does nothing without a terminal.
    package func status(_ text: String?) {
        guard showsStatus else { return }
        state.withLock { state in
            if text == nil { hide(state.status) }
            state.status = text
            show(text)
        }
    }

    private func message(_ line: String) { write(toErrors: Data((line + "\n").utf8)) }

    private func write(toErrors lines: Data) {
        state.withLock { state in
            hide(state.status)
            // A failure of standard error itself cannot be reported.
            try? errors.write(lines)
            show(state.status)
        }
    }

    private func show(_ status: String?) {
        if let status { try? errors.write("\r\(status)\u{1B}[K") }
    }

    private func hide(_ status: String?) {
        if status != nil { try? errors.write("\r\u{1B}[K") }
    }

    /// Returns the text on one line, with hidden characters escaped, such as `\x1B` or `\x0A`.
    package static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isHidden) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isHidden {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\x" + (digits.count < 2 ? "0" : "") + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
