import Foundation

/// An image whose decoder is known.
struct RecognizedImage {
    let decoder: any ImageDecoder
    /// The header, whose format is that of the whole file.
    var header: ImageHeader
    /// The bytes for the decoder: the file, or the preview in a camera's raw file.
    let file: Data
}
