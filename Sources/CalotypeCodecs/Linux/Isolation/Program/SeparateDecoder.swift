import Foundation

/// What a program without a format's libraries knows of it: a worker decodes in `calotype-decoder-formats`.
///
/// Only ``IsolatedDecoder`` uses it, which asks the worker for all that needs the libraries.
struct SeparateDecoder: ImageDecoder {
    let mediaTypes: [String]
    let memory: @Sendable (ImageHeader, DecodeSize) -> Int

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { memory(header, size) }

    func header(of data: Data) throws(CodecError) -> ImageHeader? { throw .here }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        throw .here
    }
}

extension SeparateDecoder: GainMapDecoder {}

/// What a program without libjxl knows of JPEG XL, which has animations and previews.
struct SeparateJPEGXLDecoder: AnimationDecoder, SeparatePreviewDecoder {
    let mediaTypes = ["image/jxl"]

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { FormatMemory.jpegXL(header, size) }

    func header(of data: Data) throws(CodecError) -> ImageHeader? { throw .here }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        throw .here
    }

    func mayHavePreviews(_ header: ImageHeader) -> Bool { header.mayHaveJPEGXLPreviews }

    func preview(
        of data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> ImagePreview? { throw .here }

    func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
    ) throws(CodecError) -> sending (any FrameDecoder)? { throw .here }
}

extension ImageHeader {
    /// `false` for animations, and for images with transparency or other channels: libjxl cannot yet show those before they
    /// are whole.
    var mayHaveJPEGXLPreviews: Bool { !isAnimated && !hasAlpha && samplesPerPixel <= 3 }
}

extension CodecError {
    fileprivate static let here = CodecError(.unsupported, "the format is decoded in another program")
}
