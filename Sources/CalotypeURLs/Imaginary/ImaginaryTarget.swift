package import CalotypeBase

/// A request target in imaginary's form: `/OPERATION?NAME=VALUE&…`.
package struct ImaginaryTarget: Hashable, Sendable {
    /// The path, decoded.
    package let path: ByteString
    /// The decoded parameters, each with its first value.
    let parameters: [ByteString: ByteString]
    /// The name of the first parameter that cannot be decoded, as the target spells it.
    let undecodable: ByteString?

    package init(_ target: ByteString) {
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        path = parts[0].percentDecoded ?? parts[0]
        var parameters: [ByteString: ByteString] = [:]
        var undecodable: ByteString?
        for pair in parts.count > 1 ? parts[1].split(separator: UInt8(ascii: "&")) : [] where !pair.isEmpty {
            let words = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard let name = words[0].formDecoded, let value = (words.count > 1 ? words[1] : "").formDecoded else {
                undecodable = undecodable ?? words[0]
                continue
            }
            if parameters[name] == nil { parameters[name] = value }
        }
        (self.parameters, self.undecodable) = (parameters, undecodable)
    }

    /// The parameter `key`, or `nil` if it is missing or empty.
    package var key: ByteString? { parameters["key"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns a target for logs and messages: `…` stands for the value of each parameter whose name ends in "key".
    ///
    /// Such a value may be a secret although it is not the key, for example `amp;key` of a link that was escaped twice.
    package static func withoutKeys(_ target: ByteString) -> ByteString {
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        guard parts.count > 1 else { return target }
        let pairs = parts[1].split(separator: UInt8(ascii: "&")).map { pair in
            let words = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let name = (words[0].formDecoded ?? words[0]).lowercasedASCII
            return words.count > 1 && name.trimmed.hasSuffix("key") ? "\(words[0])=…" : pair
        }
        return "\(parts[0])?\(pairs.joined(separator: "&"))"
    }
}

extension ByteString {
    /// The bytes of a name or a value in a query, where "+" is a space; `nil` if a "%" lacks its two digits.
    fileprivate var formDecoded: ByteString? {
        guard contains(UInt8(ascii: "+")) else { return percentDecoded }
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return ByteString(bytes: spaced).percentDecoded
    }
}
