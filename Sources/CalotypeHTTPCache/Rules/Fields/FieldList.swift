internal import CalotypeHTTP

/// Comma-separated lists (RFC 9110 §5.6.1).
enum FieldList {
    /// How many members of a list count where a peer's list decides how long every later request takes.
    static let limit = 64

    /// The number of members, empty ones and commas in quotes included.
    static func mostMembers(in text: ByteString) -> Int {
        text.withBytes { bytes in bytes.reduce(1) { $1 == 0x2C ? $0 + 1 : $0 } }
    }

    /// The members without white space around them; empty ones are left out, commas in quotes divide nothing.
    static func members(_ text: ByteString) -> [ByteString] {
        var reader = FieldReader(text)
        var members: [ByteString] = []
        while !reader.isAtEnd {
            let member = reader.member().trimmed
            if !member.isEmpty { members.append(member) }
            reader.pass()
        }
        return members
    }

    /// The members of lines that list names: there are no quotes in them, so that none may hide what stands behind it.
    static func names(_ lines: [ByteString]) -> [CaselessString] {
        lines.flatMap { $0.split(separator: 0x2C).map { CaselessString($0.trimmed) } }.filter { !$0.isEmpty }
    }
}
