import CalotypeCodecs
import Foundation
import Testing

/// Feeds a file to a preview session as a connection does.
struct PreviewFeed {
    let file: Data
    var target: ResizeTarget?
    var limits = DecodeLimits()

    /// Begins with the first `count` bytes of the file.
    func begin(_ count: Int? = nil) -> PreviewBeginning {
        file.prefix(count ?? file.count).withUnsafeBytes {
            DecoderRegistry.standard.previews(of: $0, target: target, limits: limits)
        }
    }

    func session() throws -> PreviewSession {
        guard case .session(let session) = begin() else {
            throw CodecError(.unsupported, "no previews")
        }
        return session
    }

    /// Returns the previews at those of these cuts that have one. Leaves out failed ones, as a loader does.
    func previews(at cuts: some Sequence<Int>) throws -> [(cut: Int, preview: ImagePreview)] {
        let session = try session()
        return cuts.compactMap { cut in
            // A new allocation each time, freed before the next.
            (try? session.preview(of: Data(file.prefix(cut)))).map { (cut, $0) }
        }
    }

    /// Returns the previews of a file that comes in so many pieces.
    func previews(pieces: Int) throws -> [(cut: Int, preview: ImagePreview)] {
        try previews(at: stride(from: 1, to: file.count, by: max(file.count / pieces, 1)))
    }

    /// Returns the smallest number of bytes that have a preview.
    func firstCut() throws -> Int? {
        let session = try session()
        return try (1...file.count).first { try session.preview(of: Data(file.prefix($0))) != nil }
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
