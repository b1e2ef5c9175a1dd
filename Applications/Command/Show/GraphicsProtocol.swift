import Foundation

enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
    /// Kitty's protocol, with all pixels: https://sw.kovidgoyal.net/kitty/graphics-protocol.
    case kitty
    /// DEC's protocol, with up to 256 colors.
    case sixel
    /// Text of block characters.
    case blocks

    static let names = allCases.map { (word: $0.rawValue, value: $0) }

    /// Returns the protocol that the environment implies; `nil` if only a query of the terminal can determine it.
    ///
    /// In a multiplexer such as tmux, the variables describe the outer terminal, whose protocol tmux may not support.
    static func named(by environment: [String: String]) -> GraphicsProtocol? {
        let term = environment["TERM"] ?? ""
        let isMultiplexed =
            environment["TMUX"] != nil || environment["STY"] != nil || term.hasPrefix("tmux")
            || term.hasPrefix("screen")
        if isPlain(environment) { return .blocks }
        if isMultiplexed { return nil }
        if environment["KITTY_WINDOW_ID"] != nil || ["xterm-kitty", "xterm-ghostty"].contains(term) { return .kitty }
        if ["WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"] ?? "") { return .kitty }
        if term.hasPrefix("foot") || term.hasPrefix("mlterm") || term.contains("sixel") { return .sixel }
        return nil
    }

    /// Whether the terminal draws text alone, and may print a question instead of answering it.
    static func isPlain(_ environment: [String: String]) -> Bool {
        ["", "dumb", "linux"].contains(environment["TERM"] ?? "")
    }

    /// Creates the best protocol that a terminal's answer to ``TerminalQuery/graphics`` announces, or `blocks`.
    init(answer: String) {
        if answer.contains("\u{1B}_Gi=31;OK") {
            self = .kitty
        } else if GraphicsProtocol.attributes(in: answer).contains("4") {
            self = .sixel
        } else {
            self = .blocks
        }
    }

    /// Returns the parameters of the primary device attributes, `CSI ? 62 ; 4 c`: 4 stands for sixel.
    private static func attributes(in answer: String) -> [Substring] {
        guard let start = answer.range(of: "\u{1B}[?", options: .backwards),
            let end = answer[start.upperBound...].firstIndex(of: "c")
        else { return [] }
        return answer[start.upperBound..<end].split(separator: ";")
    }
}
