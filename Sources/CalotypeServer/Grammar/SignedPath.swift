package import CalotypeBase
import CalotypeHTTP

/// A request target, split into its signature and the path that was signed.
package struct SignedPath: Hashable, Sendable {
    package let signature: ByteString
    /// The path after the signature, with its leading slash.
    package let path: ByteString

    /// - Parameter target: The target of the request line. A query is ignored.
    package init(target: ByteString) throws(RenditionError) {
        let path = target.split(separator: UInt8(ascii: "?"), maxSplits: 1)[0]
        let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: 2)
        guard parts.count == 3, parts[0].isEmpty, !parts[1].isEmpty else {
            throw .malformed("the path is not /signature/options/source")
        }
        self.init(signature: parts[1], path: "/\(parts[2])")
    }

    private init(signature: ByteString, path: ByteString) {
        (self.signature, self.path) = (signature, path)
    }

    /// The path before a proxy wrote ":" as "%3A" and "://" as ":/", or `nil` if the path contains neither.
    package var repaired: SignedPath? {
        let path = path.withColons.withDoubleSlash
        return path == self.path ? nil : SignedPath(signature: signature, path: path)
    }
}

extension ByteString {
    fileprivate var withColons: ByteString {
        guard contains("%3A") || contains("%3a") else { return self }
        return withBytes { bytes in
            var repaired: [UInt8] = []
            repaired.reserveCapacity(bytes.count)
            var rest = bytes[...]
            while let byte = rest.first {
                let isColon = rest.starts(with: "%3A".utf8) || rest.starts(with: "%3a".utf8)
                repaired.append(isColon ? UInt8(ascii: ":") : byte)
                rest = rest.dropFirst(isColon ? 3 : 1)
            }
            return ByteString(bytes: repaired)
        }
    }

    /// The path with the slashes that a proxy has merged after the scheme of a plain source: two for a source on the
    /// web, three for a local file.
    fileprivate var withDoubleSlash: ByteString {
        for scheme: ByteString in ["http", "https", "local"] {
            let start: ByteString = "/plain/\(scheme):/"
            guard let place = range(of: start) else { continue }
            let rest = dropFirst(place.upperBound)
            let slashes: ByteString = scheme == "local" ? "//" : "/"
            guard !rest.hasPrefix("/") else { return self }
            return "\(prefix(place.upperBound))\(slashes)\(rest)"
        }
        return self
    }

    private func prefix(_ count: Int) -> ByteString {
        withBytes { ByteString(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }

    private func range(of part: ByteString) -> Range<Int>? {
        let (bytes, part) = (bytes, part.bytes)
        guard bytes.count >= part.count else { return nil }
        let start = (0...(bytes.count - part.count)).first { bytes[$0..<($0 + part.count)].elementsEqual(part) }
        return start.map { $0..<($0 + part.count) }
    }
}
