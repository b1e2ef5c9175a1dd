import CalotypeCodecs
import Foundation
import Testing

/// Feeds a file to a preview session as a connection does.
struct PreviewFeed {
    let file: Data
    var previews = ImagePreviews.scans
    var target: ResizeTarget?
    var limits = DecodeLimits()

    /// Begins with the first `count` bytes of the file.
    func begin(_ count: Int? = nil) -> PreviewBeginning {
        file.prefix(count ?? file.count).withUnsafeBytes {
            DecoderRegistry.standard.previews(of: $0, previews, target: target, limits: limits)
        }
    }

    func session() throws -> PreviewSession {
        guard case .session(let session) = begin() else {
            throw CodecError(.unsupported, "no previews")
        }
        return session
    }

    /// Returns the previews at each of these cuts at which the session reports a new one. Leaves out failed ones, as a
    /// loader does.
    func previews(at cuts: some Sequence<Int>) throws -> [(cut: Int, preview: ImagePreview)] {
        let session = try session()
        return cuts.compactMap { cut in
            let bytes = Data(file.prefix(cut))
            guard bytes.withUnsafeBytes({ session.hasNews(in: $0, of: file.count) }),
                let preview = try? session.preview(of: bytes)
            else { return nil }
            return (cut, preview)
        }
    }

    /// Returns the previews after every `step` bytes of the file.
    func previews(every step: Int) throws -> [(cut: Int, preview: ImagePreview)] {
        try previews(at: stride(from: 1, to: file.count, by: step))
    }
}

extension Bitmap {
    /// Returns the mean difference of a channel; `nil` if the sizes differ.
    func meanDistance(to other: Bitmap) -> Double? {
        guard width == other.width, height == other.height else { return nil }
        let sum = zip(pixels.joined(), other.pixels.joined()).reduce(0) { sum, pair in
            sum + abs(Int(pair.0.blue) - Int(pair.1.blue)) + abs(Int(pair.0.green) - Int(pair.1.green))
                + abs(Int(pair.0.red) - Int(pair.1.red))
        }
        return Double(sum) / Double(3 * width * height)
    }
}
