import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeURLs
import Foundation

/// The options of a URL that concern the source's bytes: a digest, limits below those of the server, and whether to
/// send the source unchanged.
struct SourceDemands {
    let options: RenditionOptions
    let terms: DecodeTerms

    enum Outcome {
        /// The bytes are to be sent unchanged.
        case unchanged(Data, ImageFormat)
        /// The image is to be decoded from this source: the bytes that have been checked.
        case image(FoundSource)
    }

    /// Whether the URL has one of these options.
    var readsBytes: Bool {
        options.isRaw || !options.unprocessed.isEmpty || options.maxSourcePixels != nil
            || options.maxSourceBytes != nil || options.hashsum != nil
    }

    /// Reads and checks the source's bytes if the URL has one of these options.
    func check(_ found: FoundSource) async throws(ImageError) -> Outcome {
        guard readsBytes else { return .image(found) }
        let (data, kept) = try await found.keepingBytes()
        guard let format = try await unchangedFormat(of: data, found) else { return .image(kept) }
        return .unchanged(data, format)
    }

    /// Checks the source's bytes. Returns their format if they are to be sent unchanged, otherwise `nil`.
    private func unchangedFormat(of data: Data, _ found: FoundSource) async throws(ImageError) -> ImageFormat? {
        guard data.count <= options.maxSourceBytes ?? .max else {
            throw ImageError(.bodyTooLarge, "the source has too many bytes")
        }
        try await checkDigest(of: data, found)
        let header = try await header(of: data, found.loader)
        guard header.pixels <= options.maxSourcePixels ?? .max else {
            throw ImageError(.imageTooLarge, "the image has too many pixels")
        }
        return try isUnchanged(header) ? header.format : nil
    }

    private func header(of data: Data, _ loader: ImageLoader) async throws(ImageError) -> ImageHeader {
        do throws(ImageError) {
            return try await loader.header(of: data, under: terms)
        } catch {
            if [.cancelled, .overloaded, .timedOut, .decoderFailed].contains(error.code) { throw error }
            throw ImageError(.notAnImage, error.message)
        }
    }

    private func checkDigest(of data: Data, _ found: FoundSource) async throws(ImageError) {
        guard let hashsum = options.hashsum else { return }
        let digest = try await found.loader.onCodecThread(cost: 0) { hashsum.kind.hexadecimal(of: data) }
        guard digest == hashsum.digest else { throw ImageError(.otherDigest, "the source has another digest") }
    }

    private func isUnchanged(_ header: ImageHeader) throws(ImageError) -> Bool {
        let format = RenditionSourceFormat(rawValue: header.format.rawValue)
        guard let format, options.isRaw || options.unprocessed.contains(format) else {
            guard options.isRaw else { return false }
            throw ImageError(.unsupportedImage, "\(header.format) is not sent unchanged")
        }
        // As in imgproxy, the best format may be another one.
        let isAny = options.isRaw || options.format == nil && !options.choosesByContent
        return isAny || options.format?.imageFormat == header.format
    }
}

extension ErrorCode where Failure == ImageError {
    /// The digest of the source differs from the digest in the URL.
    static var otherDigest: Self { Self(rawValue: "otherDigest") }
}

extension ImageHeader {
    /// The number of pixels in the stored image; `Int.max` after an overflow.
    var pixels: Int {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : pixels
    }
}
