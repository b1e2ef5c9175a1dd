package import CalotypeBase
import CalotypeCodecs
package import CalotypeURLs
import Foundation

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
    static let rulesVersion = 2
    /// The start of a part that exists only in keys: no option has this name.
    private static let markName: ByteString = "mark:"
}

extension RenditionServer {
    /// Returns the key of a result for a list of the store's entries; `nil` for an entry that is no result.
    ///
    /// - Parameters:
    ///   - entry: The key of the entry, in which the HTTP cache and its store put texts in front of the result's key.
    ///   - url: The URL of the stored response, which is a placeholder for each result.
    package static func resultKey(ofEntry entry: ByteString, url: ByteString) -> ByteString? {
        guard url == ByteString(RenditionAnswers.url.absoluteString) else { return nil }
        let key = entry.split(separator: 0x0A).last ?? entry
        return key.split(separator: 0x20, maxSplits: 1).last ?? key
    }
}
