internal import CalotypeHTTP

/// Comma-separated lists (RFC 9110 §5.6.1).
enum FieldList {
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
