// SSIMULACRA2 for metrics.py, which compiles this file together with those of Sources/CalotypeComparison that it names.

/// Returns an original to be compared and freed.
///
/// - Parameter pixels: BGRA without gaps.
@_cdecl("similarity_original")
public func original(_ pixels: UnsafeRawPointer, _ width: Int32, _ height: Int32) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(image(pixels, width, height)).toOpaque()
}

/// Returns the score of an image of the original's size.
@_cdecl("similarity_score")
public func score(
    _ original: UnsafeRawPointer, _ pixels: UnsafeRawPointer, _ width: Int32, _ height: Int32
) -> Double {
    Unmanaged<SimilarityImage>.fromOpaque(original).takeUnretainedValue().score(of: image(pixels, width, height))
}

@_cdecl("similarity_free")
public func free(_ original: UnsafeRawPointer) { Unmanaged<SimilarityImage>.fromOpaque(original).release() }

private func image(_ pixels: UnsafeRawPointer, _ width: Int32, _ height: Int32) -> SimilarityImage {
    let (width, height) = (Int(width), Int(height))
    return SimilarityImage(
        UnsafeRawBufferPointer(start: pixels, count: 4 * width * height), size: (width, height), stride: 4 * width,
        background: 255)
}
