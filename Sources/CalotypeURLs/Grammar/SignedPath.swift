package import CalotypeBase
import CalotypeHTTP

/// A request target, split into its signature and the path that was signed.
package struct SignedPath: Hashable, Sendable {
    package let signature: ByteString
    /// The path after the signature, with its leading slash. It begins with `/info` if that stands in front of the signature.
    package let path: ByteString

    /// - Parameter target: The target of the request line. A query is ignored.
    package init(target: ByteString) throws(RenditionError) {
        let path = target.split(separator: UInt8(ascii: "?"), maxSplits: 1)[0]
        let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: 2)
        guard parts.count == 3, parts[0].isEmpty, !parts[1].isEmpty else {
            throw .malformed("the path is not /signature/options/source")
        }
        if parts[1] == RenditionGrammar.infoName, let (signature, rest) = Self.signedInfo(parts[2]) {
            self.init(signature: signature, path: "/\(RenditionGrammar.infoName)/\(rest)")
            return
        }
        guard !parts[2].hasPrefix("\(RenditionGrammar.infoName)/") else {
            throw .malformed("the path that asks for facts is /info/signature/options/source")
        }
        // A signature has no colon, but an option has.
        guard URLOption(parts[1].withColons) == nil else {
            throw RenditionError(403, "the path begins with an option: the signature in front of it is missing")
        }
        self.init(signature: parts[1], path: "/\(parts[2])")
    }

    /// Splits the text after `/info/` into signature and path. Returns `nil` if that is a path itself, whose signature is "info": it
    /// begins with an option, or with a plain source.
    private static func signedInfo(_ text: ByteString) -> (signature: ByteString, rest: ByteString)? {
        let parts = text.split(separator: UInt8(ascii: "/"), maxSplits: 1)
        guard parts.count == 2, !parts[0].isEmpty, parts[0] != "plain", URLOption(parts[0].withColons) == nil else {
            return nil
        }
        return (parts[0], parts[1])
    }

    /// Returns a target's path after its signature, repaired, or the whole path if that is unsigned. Returns `nil` if a
    /// signature may be anywhere in the target.
    package static func withoutSignature(_ target: ByteString) -> ByteString? {
        let path: SignedPath
        do throws(RenditionError) { path = try SignedPath(target: target) } catch {
            guard error.status == 403 else { return nil }
            path = SignedPath(signature: "", path: target.split(separator: UInt8(ascii: "?"), maxSplits: 1)[0])
        }
        return path.repaired?.path ?? path.path
    }

    private init(signature: ByteString, path: ByteString) {
        (self.signature, self.path) = (signature, path)
    }

    /// The path with a proxy's changes undone: "%3A" for ":" in options, and ":/" for "://" in a plain source. `nil` if
    /// the path contains neither.
    package var repaired: SignedPath? {
        let path = path.withColons.withDoubleSlash
        return path == self.path ? nil : SignedPath(signature: signature, path: path)
    }
}

extension ByteString {
    fileprivate var withColons: ByteString {
        guard contains("%3A") || contains("%3a") else { return self }
        let colon = [UInt8(ascii: ":")]
        // A plain source may contain escapes itself, which its signature covers: only the colon of its scheme is repaired.
        let end = bytes.firstRange(of: Array("/plain/".utf8))?.upperBound ?? bytes.endIndex
        let options = bytes[..<end].replacing(Array("%3A".utf8), with: colon)
            .replacing(Array("%3a".utf8), with: colon)
        var source = Array(bytes[end...])
        for (scheme, _) in Self.mergedSlashes {
            for escape in ["%3A/", "%3a/"] where source.starts(with: "\(scheme)\(escape)".utf8) {
                source.replaceSubrange(scheme.utf8.count..<scheme.utf8.count + 3, with: colon)
            }
        }
        return ByteString(bytes: options + source)
    }

    /// The schemes of sources, and the slashes that a proxy removes when it merges those after the colon.
    private static let mergedSlashes = [("http", "/"), ("https", "/"), ("s3", "/"), ("local", "//")]

    /// The path with the slashes restored that a proxy has merged after the scheme of a plain source.
    fileprivate var withDoubleSlash: ByteString {
        var bytes = bytes
        for (scheme, slashes) in Self.mergedSlashes {
            guard let place = bytes.firstRange(of: Array("/plain/\(scheme):/".utf8)) else { continue }
            guard !bytes[place.upperBound...].starts(with: "/".utf8) else { return self }
            bytes.insert(contentsOf: slashes.utf8, at: place.upperBound)
            return ByteString(bytes: bytes)
        }
        return self
    }
}
