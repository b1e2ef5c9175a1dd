import CGif
import Foundation

/// The minimum calls to giflib for a decode. The pixels are not used.
enum BareGIF {
    /// Decodes every row of every frame into one buffer.
    static func decode(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            let input = Input(bytes)
            var error: Int32 = 0
            let opened = DGifOpen(
                Unmanaged.passUnretained(input).toOpaque(),
                { file, target, count in
                    guard let user = file?.pointee.UserData, let target else { return 0 }
                    return Unmanaged<Input>.fromOpaque(user).takeUnretainedValue().read(into: target, count)
                }, &error)
            guard let file = opened else { throw BenchError("giflib cannot read") }
            defer { DGifCloseFile(file, &error) }
            var line = [GifPixelType](repeating: 0, count: 1 << 16)
            var type = UNDEFINED_RECORD_TYPE
            while type != TERMINATE_RECORD_TYPE {
                try check(DGifGetRecordType(file, &type))
                if type == EXTENSION_RECORD_TYPE { try skipExtension(file) }
                guard type == IMAGE_DESC_RECORD_TYPE else { continue }
                try check(DGifGetImageDesc(file))
                for _ in 0..<file.pointee.Image.Height { try check(DGifGetLine(file, &line, file.pointee.Image.Width)) }
            }
        }
    }

    private static func skipExtension(_ file: UnsafeMutablePointer<GifFileType>) throws {
        var code: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        try check(DGifGetExtension(file, &code, &block))
        while block != nil { try check(DGifGetExtensionNext(file, &block)) }
    }

    private static func check(_ status: Int32) throws {
        if status != GIF_OK { throw BenchError("giflib cannot read") }
    }

    private final class Input {
        private var rest: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) {
            rest = bytes
        }

        func read(into target: UnsafeMutablePointer<GifByteType>, _ count: Int32) -> Int32 {
            let count = min(Int(count), rest.count)
            UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            return Int32(count)
        }
    }
}
