import CalotypeHTTP

extension ParsedHead {
    /// Parses a method, a target and a version, separated by one space each (RFC 9112 §3).
    mutating func takeRequestLine(
        _ line: Range<Int>, of bytes: Span<UInt8>, _ limits: RequestLimits
    ) throws(RequestFault) {
        guard let first = bytes.first(.space, in: line),
            let second = bytes.first(.space, in: first + 1..<line.upperBound)
        else { throw .malformedRequestLine }
        method = line.lowerBound..<first
        target = first + 1..<second
        try takeVersion(second + 1..<line.upperBound, of: bytes)
        guard method.count <= limits.method else { throw .methodTooLong }
        guard !method.isEmpty, bytes.all(in: method, where: \.isTokenCharacter) else { throw .malformedMethod }
        guard target.count <= limits.target else { throw .targetTooLong }
        leavesHTTP = bytes.isEqual(method, to: "CONNECT")
        try bytes.checkTarget(target, ofMethod: method)
    }

    private mutating func takeVersion(_ version: Range<Int>, of bytes: Span<UInt8>) throws(RequestFault) {
        let start = version.lowerBound
        guard version.count == 8, bytes.isEqual(start..<start + 5, to: "HTTP/"), bytes[start + 5].isDigit,
            bytes[start + 6] == .period, bytes[start + 7].isDigit
        else { throw .malformedVersion }
        guard bytes[start + 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        isHTTP10 = bytes[start + 7] == UInt8(ascii: "0")
        keepsConnection = !isHTTP10
    }
}

extension Span<UInt8> {
    /// Throws unless the target has the origin or absolute form, the authority form (CONNECT), or is an asterisk
    /// (OPTIONS) (RFC 9112 §3.2).
    fileprivate func checkTarget(_ target: Range<Int>, ofMethod method: Range<Int>) throws(RequestFault) {
        guard !target.isEmpty, all(in: target, where: \.isTargetCharacter) else { throw .malformedTarget }
        if isEqual(method, to: "CONNECT") {
            guard isAuthority(target, port: .required) else { throw .unknownTargetForm }
        } else if isEqual(target, to: "*") {
            guard isEqual(method, to: "OPTIONS") else { throw .unknownTargetForm }
        } else if self[target.lowerBound] != .slash {
            guard let authority = authorityOfAbsoluteForm(target) else { throw .unknownTargetForm }
            guard !authority.isEmpty, isAuthority(authority, port: .optional) else { throw .unknownTargetForm }
        }
    }

    /// Returns the range between "://" and the path or query (RFC 3986 §3), or `nil` without a scheme and "://".
    private func authorityOfAbsoluteForm(_ target: Range<Int>) -> Range<Int>? {
        guard let colon = first(.colon, in: target), self[target.lowerBound].isLetter,
            all(in: target.lowerBound..<colon, where: \.isSchemeCharacter), colon + 3 <= target.upperBound,
            isEqual(colon..<colon + 3, to: "://")
        else { return nil }
        var end = colon + 3
        while end < target.upperBound, self[end] != .slash, self[end] != .questionMark { end += 1 }
        return colon + 3..<end
    }
}

extension UInt8 {
    /// `true` for printable ASCII characters except "#": a target contains no fragment (RFC 9112 §3.2).
    fileprivate var isTargetCharacter: Bool { self > 0x20 && self < 0x7F && self != UInt8(ascii: "#") }

    /// `true` for characters of a scheme (RFC 3986 §3.1).
    fileprivate var isSchemeCharacter: Bool { isLetter || isDigit || "+-.".utf8.contains(self) }
}
