import CalotypeBase
import CalotypeHTTP
import Glibc

enum AuthorityPort { case optional, required }

extension Span<UInt8> {
    /// Returns `true` for a host and port (RFC 3986 §3.2.2, §3.2.3) without user information.
    ///
    /// If `port` is optional, an empty range is valid, too. Brackets must contain an IPv6 address without a zone.
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
        var literal: [CChar] = []
        for index in range.lowerBound + 1..<bracket {
            // inet_pton would stop at a NUL.
            guard self[index] != 0 else { return nil }
            literal.append(CChar(bitPattern: self[index]))
        }
        var address = in6_addr()
        return inet_pton(AF_INET6, literal + [0], &address) == 1 ? bracket + 1 : nil
    }
}

extension UInt8 {
    /// `true` for characters of a reg-name without percent-encoding (RFC 3986 §3.2.2).
    fileprivate var isNameCharacter: Bool { isLetter || isDigit || "-._~!$&'()*+,;=".utf8.contains(self) }
}
