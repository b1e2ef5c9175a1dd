import Foundation

/// How a terminal is given images.
enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
    /// https://sw.kovidgoyal.net/kitty/graphics-protocol: pixels as they are.
    case kitty
    /// DEC's: up to 256 colors, in bands of six rows.
    case sixel
    /// Text: two pixels a character, one above the other.
    case blocks

    static let names = allCases.map { (word: $0.rawValue, value: $0) }

    /// What the environment says; `nil` where the terminal has to be asked.
    ///
    /// A multiplexer passes the variables of the terminal around it on, but not its images.
    static func named(by environment: [String: String]) -> GraphicsProtocol? {
        let term = environment["TERM"] ?? ""
        let isMultiplexed =
            environment["TMUX"] != nil || environment["STY"] != nil || term.hasPrefix("tmux")
            || term.hasPrefix("screen")
        if term == "dumb" || term == "linux" || term.isEmpty { return .blocks }
        if isMultiplexed { return nil }
        if environment["KITTY_WINDOW_ID"] != nil || ["xterm-kitty", "xterm-ghostty"].contains(term) { return .kitty }
        if ["WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"] ?? "") { return .kitty }
        if term.hasPrefix("foot") || term.hasPrefix("mlterm") || term.contains("sixel") { return .sixel }
        return nil
    }

    /// What a terminal has answered to ``TerminalQuery/question``.
    init(answer: String) {
        if answer.contains("\u{1B}_Gi=31;OK") {
            self = .kitty
        } else if GraphicsProtocol.attributes(in: answer).contains("4") {
            self = .sixel
        } else {
            self = .blocks
        }
    }

    /// The parameters of the primary device attributes, `CSI ? 62 ; 4 c`: 4 stands for sixel.
    private static func attributes(in answer: String) -> [Substring] {
        guard let start = answer.range(of: "\u{1B}[?", options: .backwards),
            let end = answer[start.upperBound...].firstIndex(of: "c")
        else { return [] }
        return answer[start.upperBound..<end].split(separator: ";")
    }
}
