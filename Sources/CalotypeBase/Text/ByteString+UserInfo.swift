extension ByteString {
    /// The text without the users and passwords of its URLs, for messages and logs: `https://anna:secret@host/a` becomes
    /// `https://host/a`.
    ///
    /// Also removes a password that ends the authority too early, such as `https://anna:a/b@host`: its URL is invalid, and
    /// a message quotes it. An "@" may be percent-encoded, as a host never has one.
    package var withoutUserInfo: ByteString {
        withBytes { bytes in
            guard bytes[...].lastAt != nil else { return self }
            var shown: [UInt8] = []
            var rest = bytes[...]
            while let authority = rest.authorityStart {
                shown += rest[..<authority]
                rest = rest[authority...]
                while let host = rest.endOfUserInfo { rest = rest[host...] }
            }
            shown += rest
            return shown.count == bytes.count ? self : ByteString(bytes: shown)
        }
    }
}

extension String {
    /// The text without the users and passwords of its URLs: see ``ByteString/withoutUserInfo``.
    package var withoutUserInfo: String {
        utf8.contains { $0 == .at || $0 == .percent } ? ByteString(self).withoutUserInfo.string : self
    }
}

extension UnsafeRawBufferPointer.SubSequence {
    /// The start of the first authority, which follows "://" or begins a reference such as "//host/path".
    fileprivate var authorityStart: Int? {
        if startIndex == 0, starts(with: [.slash, .slash]) { return 2 }
        var rest = self
        while let colon = rest.firstIndex(of: .colon) {
            rest = rest[(colon + 1)...]
            if rest.starts(with: [.slash, .slash]) { return colon + 3 }
        }
        return nil
    }

    /// The end of the user and password with which the authority begins, or `nil` if it has neither.
    fileprivate var endOfUserInfo: Int? {
        let authority = prefix { $0 > 0x20 && !"/?#\"<>".utf8.contains($0) }
        if let end = authority.lastAt { return end }
        // Digits follow the colon of a port.
        guard let colon = authority.lastIndex(of: .colon), !authority.contains(UInt8(ascii: "]")),
            authority[(colon + 1)...].contains(where: { !(0x30...0x39).contains($0) })
        else { return nil }
        return prefix { $0 > 0x20 }.lastAt
    }

    /// The end of the last "@", percent-encoded or not; `nil` without one.
    fileprivate var lastAt: Int? {
        indices.last { index in
            self[index] == .at || self[index] == .percent && self[index...].dropFirst().starts(with: "40".utf8)
        }.map { self[$0] == .at ? $0 + 1 : $0 + 3 }
    }
}

extension UInt8 {
    fileprivate static let at = UInt8(ascii: "@")
    fileprivate static let percent = UInt8(ascii: "%")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let slash = UInt8(ascii: "/")
}
