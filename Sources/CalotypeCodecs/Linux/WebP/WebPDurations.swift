/// How long the frames of an animation are shown, read from their chunks: libwebp's demuxer looks for each frame from the
/// first one on, which takes minutes for a file of many.
enum WebPDurations {
    static func sum(in file: ByteReader) -> Duration {
        var sum = Duration.zero
        var offset = 12
        while let size = file.uint32(at: offset + 4, bigEndian: false) {
            // The duration lies behind place and size, in three bytes.
            if file.has("ANMF", at: offset), let low = file.uint16(at: offset + 20, bigEndian: false),
                let high = file.uint8(at: offset + 22)
            {
                sum += ImageHeader.shownDuration(milliseconds: high << 16 | low)
            }
            offset += 8 + size + size & 1
        }
        return sum
    }
}
