import Calotype
import CalotypeBase
import CalotypeHTTPCache
import Foundation

/// An image that a client has sent, which no cache keeps. Two are equal only if they are the same object.
final class PostedImage: Hashable, Sendable {
    let data: Data
    /// Identifies the bytes: another request may decode them at the same time.
    let digest: String

    /// Stands for the URL that the image does not have.
    let url: ByteString = "post:///image"

    /// - Parameters:
    ///   - form: The form in which the image is; `nil` if it is the whole body.
    ///   - limit: The maximum size of the image, in bytes.
    /// - Throws: 400 for a malformed form or an empty image, 413 for an image beyond the limit.
    init(_ body: UploadedBody, in form: MultipartForm?, limit: Int) throws(ServerError) {
        let range = try form?.file(in: body.data) ?? 0..<body.data.count
        guard !range.isEmpty else { throw ServerError(400, "the image is empty") }
        guard range.count <= limit else { throw .bodyTooLarge(limit) }
        data = Self.part(range, of: body)
        digest = data.withUnsafeBytes { KeyDigest.hex(of: $0) }
    }

    /// Returns the bytes in place. The body lasts as long as they do.
    private static func part(_ range: Range<Int>, of body: UploadedBody) -> Data {
        body.data.withUnsafeBytes { bytes in
            let part = UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: bytes[range]))
            // A range that is not empty has an address.
            guard let start = part.baseAddress else { return Data() }
            return Data(
                bytesNoCopy: start, count: part.count, deallocator: .custom { _, _ in withExtendedLifetime(body) {} })
        }
    }

    static func == (one: PostedImage, other: PostedImage) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
