import CalotypeBase
import Foundation

/// Where a command writes: results to standard output, everything else to standard error, and a status line at the
/// bottom of a terminal that lines scroll past.
final class Console: Sendable {
    private struct State {
        var status: String?
        /// Standard output failed: its reader has left, or its disk is full.
        var isBroken = false
    }

    /// A Boolean value indicating whether a status line would be seen.
    let showsStatus: Bool
    let usesColor: Bool
    /// Columns for text.
    let width: Int
    private let output = Stream.output
    private let errors = Stream.errors
    private let state = Locked(State())
    private let onLostOutput: @Sendable (FileError) -> Void

    /// - Parameter onLostOutput: Called once, when a write to standard output has failed.
    init(environment: [String: String], onLostOutput: @escaping @Sendable (FileError) -> Void) {
        let isDumb = environment["TERM"] == "dumb"
        showsStatus = errors.isTerminal && !isDumb
        // https://no-color.org: present and not empty, whatever its value.
        usesColor = showsStatus && (environment["NO_COLOR"] ?? "").isEmpty
        width = output.width ?? errors.width ?? environment["COLUMNS"].flatMap(Int.init) ?? 80
        self.onLostOutput = onLostOutput
    }

    /// A line of results.
    func line(_ text: String) { write(Data((text + "\n").utf8)) }

    /// Bytes of results: an image.
    func write(_ data: Data) {
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

    /// One line on standard error. Control characters, which a URL or a server may contain, are shown, not obeyed.
    func complain(_ text: String) {
        let line = "calotype: \(Console.printable(text))"
        message(usesColor ? "\u{1B}[31m\(line)\u{1B}[0m" : line)
    }

    /// A line for people who watch: on standard error, and only there.
    func note(_ text: String) { message(Console.printable(text)) }

    /// Replaces the status line; nil takes it away. Nothing happens where there is no terminal.
    func status(_ text: String?) {
        guard showsStatus else { return }
        state.withLock { state in
            if text == nil { hide(state.status) }
            state.status = text
            show(text)
        }
    }

    private func message(_ line: String) {
        state.withLock { state in
            hide(state.status)
            // Without a reader for complaints there is nobody to complain to.
            try? errors.write(line + "\n")
            show(state.status)
        }
    }

    private func show(_ status: String?) {
        if let status { try? errors.write("\r\(status)\u{1B}[K") }
    }

    private func hide(_ status: String?) {
        if status != nil { try? errors.write("\r\u{1B}[K") }
    }

    /// The text in one line, with control characters as `\x1B`.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isControl($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result += "\\x" + String(scalar.value, radix: 16, uppercase: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }
}
