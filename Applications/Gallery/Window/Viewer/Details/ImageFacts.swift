import Calotype
import CalotypeCodecs
import Foundation

/// The facts about an image that the details panel lists.
struct ImageFacts: Hashable, Sendable {
    struct Line: Hashable, Sendable {
        let title: String
        let text: String
    }

    /// The header of the file, or `nil` until it has been read.
    var header: ImageHeader?
    /// The file's size in bytes.
    var bytes: Int?
    /// The color space that the file names.
    var profile: String?

    /// The image's own size in pixels, upright; `nil` until the header has been read, and for scalable images such as
    /// SVG.
    var size: PixelSize? { header.flatMap { $0.isScalable ? nil : $0.uprightSize } }

    /// Reads the facts from the bytes of a file. Slow: call it off the main thread.
    static func read(_ data: Data, _ decoders: DecoderRegistry) throws(CodecError) -> ImageFacts {
        ImageFacts(header: try decoders.header(of: data), bytes: data.count, profile: decoders.colors(of: data))
    }

    /// The lines about the file; empty until its header has been read.
    var lines: [Line] {
        guard let header else { return [] }
        var lines = [Line(title: ViewerTexts.format, text: format(header))]
        if let size { lines.append(Line(title: ViewerTexts.size, text: ImageFacts.text(size))) }
        if let bytes { lines.append(Line(title: ViewerTexts.fileSize, text: Amount.bytes(bytes))) }
        lines.append(Line(title: ViewerTexts.profile, text: profile ?? ViewerTexts.noProfile))
        if header.bitsPerSample != 8 {
            lines.append(Line(title: ViewerTexts.depth, text: ViewerTexts.bits(header.bitsPerSample)))
        }
        if let frames = header.frameCount, frames > 1 {
            lines.append(
                Line(title: ViewerTexts.animation, text: ViewerTexts.frames(frames, Amount.duration(header.duration))))
        }
        if header.hasAlpha { lines.append(Line(title: ViewerTexts.transparency, text: ViewerTexts.yes)) }
        return lines
    }

    private func format(_ header: ImageHeader) -> String {
        var parts = [header.format.description]
        if let codec = header.codec { parts.append(codec) }
        if header.isProgressive, header.codec != "progressive" { parts.append(ViewerTexts.progressive) }
        return parts.joined(separator: ", ")
    }

    private static func text(_ size: PixelSize) -> String {
        let megapixels = Double(size.width) * Double(size.height) / 1_000_000
        guard megapixels >= 0.1 else { return size.description }
        return "\(size) (\(megapixels.formatted(.number.precision(.fractionLength(1)))) MP)"
    }
}

/// The origin of the shown image and its load, for the details panel.
struct LoadAccount {
    /// The nearest layer that had the image when the viewer showed it; `nil` if it has not been loaded.
    let origin: ImageResponse.Origin?
    /// The request that decoded the image, perhaps a prefetch; `nil` if it is no longer recorded.
    let work: LoadEntry?

    var lines: [ImageFacts.Line] {
        guard let origin else { return [ImageFacts.Line(title: ViewerTexts.source, text: ViewerTexts.notLoaded)] }
        var lines = [ImageFacts.Line(title: ViewerTexts.source, text: ViewerTexts.name(of: origin))]
        guard let work else { return lines }
        if origin == .memory, let first = work.metrics.origin {
            lines.append(ImageFacts.Line(title: ViewerTexts.firstLoaded, text: ViewerTexts.name(of: first)))
        }
        let times: [(String, Duration?)] = [
            (ViewerTexts.total, work.duration), (ViewerTexts.download, work.metrics.loading),
            (ViewerTexts.decode, work.metrics.processing),
        ]
        for case (let title, let time?) in times {
            lines.append(ImageFacts.Line(title: title, text: Amount.duration(time)))
        }
        return lines
    }
}
