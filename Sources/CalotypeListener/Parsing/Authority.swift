import CalotypeHTTP

enum AuthorityPort { case optional, required }

extension Span<UInt8> {
    /// Returns `true` for a host with a port (RFC 3986 §3.2.2, §3.2.3), without a user.
    ///
    /// An empty host without a port is valid. Literals in brackets have to be IPv6 addresses without a zone.
    func isAuthority(_ range: Range<Int>, port: AuthorityPort) -> Bool {
        guard !range.isEmpty else { return port == .optional }
        guard let hostEnd = self[range.lowerBound] == .openBracket ? literalEnd(range) : nameEnd(range) else {
            return false
        }
        guard hostEnd > range.lowerBound else { return false }
        if hostEnd == range.upperBound { return port == .optional }
        guard self[hostEnd] == .colon else { return false }
        return isPort(hostEnd + 1..<range.upperBound, port)
    }

    private func isPort(_ digits: Range<Int>, _ port: AuthorityPort) -> Bool {
        if digits.isEmpty { return port == .optional }
        var number = 0
        for index in digits {
            guard self[index].isDigit else { return false }
            number = number * 10 + Int(self[index] - UInt8(ascii: "0"))
            guard number <= 65_535 else { return false }
        }
        return true
    }

    /// Returns the end of a registered name or IPv4 address, or `nil` if a percent sign lacks its hexadecimal digits.
    private func nameEnd(_ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if self[index] == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound, self[index + 1].hexValue != nil, self[index + 2].hexValue != nil
                else { return nil }
                index += 3
            } else if self[index].isNameCharacter {
                index += 1
            } else {
                break
            }
        }
        return index
    }

    private func literalEnd(_ range: Range<Int>) -> Int? {
        guard let bracket = first(UInt8(ascii: "]"), in: range) else { return nil }
        return isIPv6(range.lowerBound + 1..<bracket) ? bracket + 1 : nil
    }

    /// Checks an IPv6 address (RFC 4291 §2.2): eight groups of up to four digits, of which one run may be omitted, and
    /// the last two may be an IPv4 address.
    private func isIPv6(_ range: Range<Int>) -> Bool {
        var groups = 0
        var hasGap = false
        var index = range.lowerBound
        while index < range.upperBound {
            if isEqual(index..<Swift.min(index + 2, range.upperBound), to: "::") {
                guard !hasGap else { return false }
                hasGap = true
                index += 2
                if index == range.upperBound { break }
            } else if groups > 0 {
                guard self[index] == .colon else { return false }
                index += 1
            }
            var end = index
            while end < range.upperBound, self[end].hexValue != nil { end += 1 }
            if end < range.upperBound, self[end] == .period {
                guard isIPv4(index..<range.upperBound) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(end - index) else { return false }
            groups += 1
            index = end
        }
        return hasGap ? groups < 8 : groups == 8
    }

    private func isIPv4(_ range: Range<Int>) -> Bool {
        var parts = 0
        var index = range.lowerBound
        while parts < 4 {
            let start = index
            var number = 0
            while index < range.upperBound, self[index].isDigit, index - start < 3 {
                number = number * 10 + Int(self[index] - UInt8(ascii: "0"))
                index += 1
            }
            guard index > start, number <= 255, index - start == 1 || self[start] != UInt8(ascii: "0") else {
                return false
            }
            parts += 1
            if parts == 4 { break }
            guard index < range.upperBound, self[index] == .period else { return false }
            index += 1
        }
        return index == range.upperBound
    }
}

extension UInt8 {
    /// `true` for characters of a reg-name without percent-encoding (RFC 3986 §3.2.2).
    fileprivate var isNameCharacter: Bool { isLetter || isDigit || "-._~!$&'()*+,;=".utf8.contains(self) }
}
