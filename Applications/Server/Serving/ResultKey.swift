package import CalotypeBase
import CalotypeCodecs
package import CalotypeURLs

extension RenditionRequest {
    /// Returns the key of the result in the cache: no result of another version of the decoders has it, and none with
    /// another watermark.
    ///
    /// - Parameter mark: The digest of the server's watermark. It is part of the key only if the result has that.
    package func resultKey(mark: ByteString?) -> ByteString {
        guard options.watermark != nil, let mark else { return "\(Self.version)\(canonicalText)" }
        return "\(Self.version)\(Self.markName)\(mark)/\(canonicalText)"
    }

    private static let version: ByteString = "v\(codecVersion).\(rulesVersion)/"
    /// The version of the rules by which a URL determines its file. Raised when the same URL gets another file.
    static let rulesVersion = 1
    /// The start of a part that exists only in keys: no option has this name.
    private static let markName: ByteString = "mark:"

    package init(resultKey: ByteString) throws(RenditionError) {
        guard resultKey.hasPrefix(Self.version) else { throw RenditionError(400, "the key is of another version") }
        var text = resultKey.dropFirst(Self.version.count)
        if text.hasPrefix(Self.markName) { text = text.split(separator: UInt8(ascii: "/"), maxSplits: 1).last ?? "" }
        try self.init(canonicalText: text)
    }
}
