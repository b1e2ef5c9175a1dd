import CGif

/// A GIF frame read by giflib.
final class GIFFile {
    private let file: UnsafeMutablePointer<GifFileType>
    private let source: Source

    /// The bytes that giflib has not read yet.
    private final class Source {
        var rest: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) {
            rest = bytes
        }

        func read(_ count: Int, into target: UnsafeMutablePointer<GifByteType>?) -> Int {
            let count = min(count, rest.count)
            UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            return count
        }
    }

    /// - Parameter gif: The file. It must stay at its address for the lifetime of this object.
    init(_ gif: UnsafeRawBufferPointer, at frame: GIFBlocks.Frame) throws(CodecError) {
        source = Source(gif)
        var error: Int32 = 0
        let opened = DGifOpen(
            Unmanaged.passUnretained(source).toOpaque(),
            { file, target, count in
                guard let user = file?.pointee.UserData else { return 0 }
                return Int32(Unmanaged<Source>.fromOpaque(user).takeUnretainedValue().read(Int(count), into: target))
            }, &error)
        guard let opened else { throw Self.failure(error) }
        file = opened
        source.rest = UnsafeRawBufferPointer(rebasing: gif.dropFirst(frame.offset))
        var type = UNDEFINED_RECORD_TYPE
        try check(DGifGetRecordType(file, &type))
        try check(DGifGetImageDesc(file))
    }

    deinit {
        var error: Int32 = 0
        DGifCloseFile(file, &error)
    }

    var isInterlaced: Bool { file.pointee.Image.Interlace }

    /// Reads the color indices of the next row in the file. An interlaced file does not store rows from top to bottom.
    func readRow(into row: UnsafeMutableBufferPointer<UInt8>) throws(CodecError) {
        try check(DGifGetLine(file, row.baseAddress, Int32(row.count)))
    }

    /// Returns 256 opaque BGRA colors from the frame's color table, or else from the file's. Missing colors are black.
    func palette() -> [UInt32] {
        var palette = [UInt32](repeating: 0xFF00_0000, count: 256)
        guard let map = file.pointee.Image.ColorMap ?? file.pointee.SColorMap, let colors = map.pointee.Colors else {
            return palette
        }
        for index in 0..<min(256, Int(map.pointee.ColorCount)) {
            let color = colors[index]
            palette[index] |= UInt32(color.Red) << 16 | UInt32(color.Green) << 8 | UInt32(color.Blue)
        }
        return palette
    }

    private func check(_ status: Int32) throws(CodecError) {
        if status != GIF_OK { throw Self.failure(file.pointee.Error) }
    }

    private static func failure(_ error: Int32) -> CodecError {
        if error == D_GIF_ERR_NOT_ENOUGH_MEM { return CodecError(.tooLarge, "no memory to decode this GIF") }
        let reason = GifErrorString(error).map { String(cString: $0) } ?? "its data makes no image"
        return CodecError(.damaged, "GIF is damaged: \(reason)")
    }
}
