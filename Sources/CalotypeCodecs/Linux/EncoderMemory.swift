// Measured with images of 1 to 6 megapixels, as the growth of the process's peak: see `EncodingUse` in the tests. The files
// of photographs are a few hundredths more.

extension JPEGEncoder: MeasuredEncoder {
    var memoryInHundredths: Int {
        // The coefficients of a progressive file stay in memory until its last scan: two bytes for each sample.
        isProgressive ? (keepsColors ?? (quality >= 90) ? 270 : 190) : 120
    }

    /// A JPEG has no transparency: the encoder draws the image on white.
    var copiesTransparency: Bool { true }
}

extension PNGEncoder: MeasuredEncoder {
    // Almost all of it is the file, which an image that does not compress makes as large.
    var memoryInHundredths: Int { 140 }
}

extension WebPEncoder: MeasuredEncoder {
    var memoryInHundredths: Int { compression == .lossless ? 800 : 260 }
}

extension AVIFEncoder: MeasuredEncoder {
    // Slower speeds look ahead further.
    var memoryInHundredths: Int { speed >= 9 ? 600 : 800 }
}
