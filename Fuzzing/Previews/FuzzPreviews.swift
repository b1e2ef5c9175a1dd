import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

/// Writes the seeds. An input's first byte sets the size of the pieces in which the file arrives, and the scaling.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        let formats: [EncodingFormat] = [
            .jpeg(quality: 50, isProgressive: true), .jpeg(quality: 50), .png,
        ]
        let files = try Decoding.bitmaps().flatMap { bitmap in try formats.map { try bitmap.encoded(as: $0) } }
        return try (files + ImageSeeds.inSteps).flatMap { file in [0x0F, 0xBF].map { Data([$0]) + file } }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = input(bytes, count)
    guard let way = input.first else { return -1 }
    let file = Data(input.dropFirst())
    var limits = DecodeLimits()
    limits.maxPixels = 1 << 20
    limits.maxDecodeBytes = 64 << 20
    return Arrival(
        file: file, piece: Int(way & 0x7F) + 1,
        target: way & 0x80 == 0 ? nil : ResizeTarget(width: 7, height: 5, mode: .fill), limits: limits
    ).check()
}

/// A file that arrives in pieces.
private struct Arrival {
    let file: Data
    let piece: Int
    let target: ResizeTarget?
    let limits: DecodeLimits

    func check() -> Int32 {
        var session: PreviewSession?
        var shown = 0
        for cut in stride(from: piece, through: file.count, by: piece) {
            // Copy the bytes for each cut, so that the sanitizer detects reads beyond them or from an earlier copy.
            let bytes = Data(Array(file.prefix(cut)))
            if session == nil {
                let beginning = bytes.withUnsafeBytes {
                    DecoderRegistry.standard.previews(of: $0, target: target, limits: limits)
                }
                switch beginning {
                case .none, .inWorker: return -1
                case .tooEarly: continue
                case .session(let new): session = new
                }
            }
            guard let session, shown < 20, let preview = try? session.preview(of: bytes) else { continue }
            shown += 1
            require(preview.bitmap.byteCount <= session.cost, "a preview costs more than was said")
            require(preview.detail.width > 0 && preview.detail.height > 0, "a preview without detail")
            check(preview.bitmap)
        }
        return 0
    }

    private func check(_ bitmap: Bitmap) {
        guard let plan = try? DecoderRegistry.standard.plan(for: file, target: target, limits: limits) else { return }
        require(
            bitmap.width == plan.outputSize.width && bitmap.height == plan.outputSize.height,
            "the preview is \(bitmap.width) × \(bitmap.height), the image \(plan.outputSize)")
    }
}
