package import CalotypeHTTP
internal import Foundation

extension CacheRules {
    /// Returns the cache key of a request: its effective URI (RFC 9111 §2). Scheme and host become lower case; a
    /// default port and the fragment are removed. Path and query remain unchanged, percent-encoding included: RFC 9110
    /// §4.2.3 calls some forms equal, but an origin may distinguish them, and §7.7 forbids proxies from rewriting them.
    package func key(for request: HTTPRequest) -> ByteString {
        let target = request.rawTarget.flatMap { $0.hasPrefix("/") ? $0 : nil }
        return KeyNormalisation.normalised(request.url.absoluteString, target: target)
    }

    /// Returns the key of the URL in Location or Content-Location, or `nil` if the URL is invalid or on another origin.
    func key(of location: ByteString, relativeTo request: HTTPRequest) -> ByteString? {
        guard let url = location.isEmpty ? request.url : URL(reference: location, relativeTo: request.url),
            let origin = try? HTTPOrigin(url), let own = try? HTTPOrigin(request.url), origin == own
        else { return nil }
        return KeyNormalisation.normalised(url.absoluteString)
    }
}

enum KeyNormalisation {
    /// - Parameter target: The request target that replaces path and query.
    static func normalised(_ url: String, target: ByteString? = nil) -> ByteString {
        if let key = unchanged(url, target: target) { return key }
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: 0x3A), bytes.count > colon + 2, bytes[colon + 1] == 0x2F,
            bytes[colon + 2] == 0x2F
        else { return ByteString(url) }
        let start = colon + 3
        let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
        var key = bytes[..<start].map(\.asciiLowercased)
        let isSecure = key.starts(with: "https:".utf8)
        // User and password are case-sensitive.
        let host = bytes[start..<end].lastIndex(of: 0x40).map { $0 + 1 } ?? start
        key += bytes[start..<host]
        var authority = bytes[host..<end].map(\.asciiLowercased)
        let ownPort = isSecure ? ":443" : ":80"
        if authority.reversed().starts(with: ownPort.utf8.reversed()) { authority.removeLast(ownPort.utf8.count) }
        if authority.last == 0x3A { authority.removeLast() }
        key += authority
        let path = (target.map { $0.bytes[...] } ?? bytes[end...]).prefix { $0 != 0x23 }
        if path.first != 0x2F { key.append(0x2F) }
        key += path
        return ByteString(bytes: key)
    }

    /// Returns the URL, or its origin followed by the target; `nil` if the result has to be normalized.
    private static func unchanged(_ url: String, target: ByteString?) -> ByteString? {
        var url = url
        let path = url.withUTF8 { bytes in
            endOfNormalOrigin(bytes).map { ($0, bytes[$0...].first == 0x2F && !bytes[$0...].contains(0x23)) }
        }
        guard let (end, isNormal) = path else { return nil }
        guard let target else { return isNormal ? ByteString(url) : nil }
        guard target.hasPrefix("/"), !target.contains(0x23) else { return nil }
        var key = ByteString(end == url.utf8.count ? url : String(decoding: url.utf8.prefix(end), as: UTF8.self))
        key.append(target)
        return key
    }

    /// Returns the end of scheme and authority, or `nil` if the URL is not http or https or has to be normalized.
    private static func endOfNormalOrigin(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let scheme = bytes.starts(with: "http://".utf8) ? 7 : bytes.starts(with: "https://".utf8) ? 8 : 0
        guard scheme > 0 else { return nil }
        let end = bytes[scheme...].firstIndex(of: 0x2F) ?? bytes.endIndex
        let authority = bytes[scheme..<end]
        for byte in authority where byte == 0x40 || byte == 0x3F || byte == 0x23 || byte >= 0x41 && byte <= 0x5A {
            return nil
        }
        // Ports 80 and 443, which are rare in URLs, take the slow path: it removes the scheme's default port.
        let hasPort = ([":", ":80", ":443"] as [StaticString]).contains { ending in
            ending.withUTF8Buffer { authority.suffix($0.count).elementsEqual($0) }
        }
        return hasPort ? nil : end
    }
}
