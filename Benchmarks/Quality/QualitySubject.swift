import CalotypeCodecs
import CalotypeComparison
import Foundation

/// An image file, and its luma at full size, from which exact thumbnails are computed for comparison.
struct QualitySubject {
    let data: Data
    private let full: Plane

    init(_ data: Data) throws {
        self.data = data
        var limits = DecodeLimits()
        limits.maxBitmapBytes = nil
        full = try Plane(DecoderRegistry.standard.plan(for: data, limits: limits).decode())
    }

    func similarities(at width: Int, _ vips: Vips) throws -> (ours: Double, baseline: Double) {
        let bitmap = try Self.thumbnail(data, width: width)
        let exact = full.exactlyScaled(to: bitmap.width, bitmap.height)
        let theirs = try vips.thumbnail(data, width: bitmap.width, height: bitmap.height)
        return (
            Plane(bitmap).similarity(to: exact),
            try Plane(theirs, width: bitmap.width, height: bitmap.height).similarity(to: exact)
        )
    }

    /// Returns the similarity of a finished thumbnail to the exact thumbnail of the same size.
    func similarity(of thumbnail: Bitmap) -> Double {
        Plane(thumbnail).similarity(to: full.exactlyScaled(to: thumbnail.width, thumbnail.height))
    }

    static func thumbnail(_ data: Data, width: Int) throws -> Bitmap {
        try DecoderRegistry.standard.plan(for: data, target: ResizeTarget(width: width)).decode()
    }
}
