internal import CalotypeHTTP

/// Comma-separated lists (RFC 9110 §5.6.1).
enum FieldList {
    /// The maximum number of members of a stored list, whose length adds to the cost of every later request.
    static let limit = 64

    /// Returns an upper bound for the number of members: empty members and commas in quotes count as well.
    static func mostMembers(in text: ByteString) -> Int {
        text.withBytes { bytes in bytes.reduce(1) { $1 == 0x2C ? $0 + 1 : $0 } }
    }

    /// Returns the members that are not empty, without surrounding white space. Commas in quotes do not separate.
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

    /// Returns the names in the lines. Quotes are ignored, so that a stray quote cannot hide a later name.
    static func names(_ lines: [ByteString]) -> [CaselessString] {
        lines.flatMap { $0.split(separator: 0x2C).map { CaselessString($0.trimmed) } }.filter { !$0.isEmpty }
    }
}
