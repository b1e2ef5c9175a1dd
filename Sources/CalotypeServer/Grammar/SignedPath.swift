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

    /// The path with a proxy's changes undone: "%3A" for ":", and ":/" for "://". `nil` if the path contains neither.
    package var repaired: SignedPath? {
        let path = path.withColons.withDoubleSlash
        return path == self.path ? nil : SignedPath(signature: signature, path: path)
    }
}

extension ByteString {
    fileprivate var withColons: ByteString {
        guard contains("%3A") || contains("%3a") else { return self }
        let colon = [UInt8(ascii: ":")]
        return ByteString(
            bytes: bytes.replacing(Array("%3A".utf8), with: colon).replacing(Array("%3a".utf8), with: colon))
    }

    /// The path with the slashes restored that a proxy has merged after the scheme of a plain source: two for a source
    /// on the web, three for a local file.
    fileprivate var withDoubleSlash: ByteString {
        var bytes = bytes
        for (scheme, slashes) in [("http", "/"), ("https", "/"), ("local", "//")] {
            guard let place = bytes.firstRange(of: Array("/plain/\(scheme):/".utf8)) else { continue }
            guard !bytes[place.upperBound...].starts(with: "/".utf8) else { return self }
            bytes.insert(contentsOf: slashes.utf8, at: place.upperBound)
            return ByteString(bytes: bytes)
        }
        return self
    }
}
