import CalotypeBase
import CalotypeHTTP
import CalotypeURLs
import Foundation

/// A bucket of an object store: its place, and the URLs of its objects.
struct S3Bucket: Hashable, Sendable {
    /// How a URL names the bucket.
    enum Style: ByteString, Hashable, Sendable {
        /// As the first part of the host: `https://photos.s3.eu-central-1.amazonaws.com/key`.
        case host
        /// As the first part of the path: `https://objects.example.com/photos/key`.
        case path
    }

    let name: ByteString
    /// The scheme, host and port of the store; `nil` for AWS.
    var endpoint: SourceURL?
    /// The region; `nil` until the store has named it.
    var region: ByteString?
    /// The name of a profile in the files of credentials; `nil` for the default one.
    var profile: ByteString?
    /// The default is `host` on AWS if the name can be a part of a host, otherwise `path`.
    var style: Style?

    /// Creates a bucket from words such as `photos endpoint=https://objects.example.com region=eu style=path`.
    ///
    /// - Throws: 400 for a name that no bucket has, for an unknown word, and for a word given twice.
    init(_ words: ByteString) throws(RenditionError) {
        let parts = words.split(separator: UInt8(ascii: " ")).filter { !$0.isEmpty }
        guard let name = parts.first else { throw .malformed("the name of the bucket is missing") }
        try Self.check(name)
        self.name = name
        var given: Set<ByteString> = []
        for word in parts.dropFirst() {
            let pair = word.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard pair.last != "" else { throw .malformed("\(word.quoted) has no value") }
            guard pair.count == 2, given.insert(pair[0]).inserted else {
                throw .malformed("\(word.quoted): expected endpoint=, region=, profile= or style=, each once")
            }
            try set(pair[0], pair[1])
        }
    }

    private mutating func set(_ name: ByteString, _ value: ByteString) throws(RenditionError) {
        switch name {
        case "endpoint":
            let url = try SourceURL(value)
            guard url.path == "/", url.query == nil else { throw .malformed("an endpoint has no path and no query") }
            endpoint = url
        case "region":
            guard Self.isRegion(value) else {
                throw .malformed("\(value.quoted) is no region, such as eu-central-1")
            }
            region = value
        case "profile": profile = value
        case "style":
            guard let style = Style(rawValue: value) else { throw .malformed("style= is host or path") }
            self.style = style
        default: throw .malformed("\(name.quoted) is unknown: expected endpoint, region, profile or style")
        }
    }

    /// Whether a store may have the region, which becomes a part of a host and of signatures.
    static func isRegion(_ text: ByteString) -> Bool {
        (1...64).contains(text.count)
            && text.withBytes { $0.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") } }
    }

    /// - Throws: 400 unless a bucket may have the name.
    static func check(_ name: ByteString) throws(RenditionError) {
        guard isName(name) else {
            throw .malformed("\(name.quoted) is no bucket: its name has 3 to 63 small letters, digits, \"-\" and \".\"")
        }
    }

    private static func isName(_ name: ByteString) -> Bool {
        let bytes = name.bytes
        guard (3...63).contains(bytes.count), let first = bytes.first, let last = bytes.last else { return false }
        let isEdge: (UInt8) -> Bool = { $0.isAlphanumeric && $0 == $0.asciiLowercased }
        return isEdge(first) && isEdge(last) && bytes.allSatisfy { isEdge($0) || "-.".utf8.contains($0) }
            && !name.contains("..")
    }

    /// Returns the URL of an object.
    ///
    /// - Throws: As ``path(ofKey:)``.
    func url(ofKey key: ByteString) throws(RenditionError) -> ByteString { "\(root)/\(try Self.path(ofKey: key))" }

    /// Returns the path of a key in URLs: its bytes are percent-encoded once. So are the dots of "." and ".." between
    /// slashes, which parsers of URLs remove.
    ///
    /// - Throws: 400 for an empty key, and for one of more than 1,024 bytes.
    static func path(ofKey key: ByteString) throws(RenditionError) -> ByteString {
        guard !key.isEmpty, key.count <= 1024 else { throw .malformed("the key of an object has 1 to 1,024 bytes") }
        let parts = key.split(separator: UInt8(ascii: "/")).map { part -> ByteString in
            if part == "." { return dot }
            if part == ".." { return "\(dot)\(dot)" }
            return part.percentEncoded { $0.isUnreserved }
        }
        return parts.joined(separator: "/")
    }

    /// Returns the target to send and to sign for the path of a URL: stores expect dots as they are.
    static func target(ofPath path: ByteString) -> ByteString {
        guard path.contains(dot) else { return path }
        return ByteString(path.string.replacing(dot.string, with: "."))
    }

    private static let dot: ByteString = "%2E"

    /// The value of Host in requests for objects.
    var host: ByteString { base.dropFirst(base.hasPrefix("https") ? 8 : 7) }

    /// The beginning of the URLs of objects, without the slash in front of the key.
    var root: ByteString { isInHost ? base : "\(base)/\(name)" }

    /// The scheme, host and port of the URLs of objects.
    var base: ByteString {
        let prefix: ByteString = isInHost ? "\(name)." : ""
        guard let endpoint else {
            let region: ByteString = self.region.map { ".\($0)" } ?? ""
            return "https://\(prefix)s3\(region).amazonaws.com"
        }
        let isStandard = endpoint.port == (endpoint.scheme == "https" ? 443 : 80)
        return "\(endpoint.scheme)://\(prefix)\(endpoint.host)\(isStandard ? "" : ":\(endpoint.port)")"
    }

    /// Whether URLs have the bucket in the host. A certificate for *.s3.amazonaws.com covers no name with a dot.
    var isInHost: Bool {
        style.map { $0 == .host } ?? (endpoint == nil && !name.contains(UInt8(ascii: ".")))
    }
}
