/// The bytes that a terminal sends, sorted into its answers and the keys that the user types meanwhile.
///
/// An answer is a sequence that no key sends: `ESC [ ?` up to a letter, or `ESC ]`, `ESC _` or `ESC P` up to BEL or
/// `ESC \`.
struct TerminalInput: Hashable, Sendable {
    private static let escape = UInt8(ascii: "\u{1B}")

    /// The complete answers, one after the other.
    private(set) var answers: [UInt8] = []
    private var typed: [UInt8] = []
    /// The bytes since the last ESC that may begin an answer.
    private var sequence: [UInt8] = []
    /// Whether the terminal has reported its device attributes, `CSI ? 62 ; 4 c`, which ends its answers.
    private(set) var isWhole = false

    var text: String { String(decoding: answers, as: UTF8.self) }

    /// The number of bytes so far.
    var count: Int { answers.count + typed.count + sequence.count }

    /// The bytes of keys. An ESC without a sequence is a key, too.
    var keys: [UInt8] { sequence == [Self.escape] ? typed + sequence : typed }

    mutating func take(_ byte: UInt8) {
        if sequence.isEmpty, byte != Self.escape { return typed.append(byte) }
        sequence.append(byte)
        switch sequence.count {
        case 1: break
        case 2: if !"[]_P".utf8.contains(byte) { endKey() }
        case _ where sequence[1] == UInt8(ascii: "["): takeControl(byte)
        default: takeString(byte)
        }
    }

    private mutating func takeControl(_ byte: UInt8) {
        if sequence[2] != UInt8(ascii: "?") { return endKey() }
        guard sequence.count > 3, (0x40...0x7E).contains(byte) else { return }
        isWhole = isWhole || byte == UInt8(ascii: "c")
        endAnswer()
    }

    private mutating func takeString(_ byte: UInt8) {
        let isEnd = byte == 0x07 || byte == UInt8(ascii: "\\") && sequence.dropLast().last == Self.escape
        if isEnd { endAnswer() }
    }

    private mutating func endKey() {
        typed += sequence
        sequence = []
    }

    private mutating func endAnswer() {
        answers += sequence
        sequence = []
    }
}
