import CWebP

/// The container of a WebP file: its metadata chunks and its first frame.
struct WebPContainer: ~Copyable {
    private let demuxer: OpaquePointer

    /// Returns `nil` if the container is damaged; the image inside may still be decodable.
    ///
    /// - Parameters:
    ///   - webp: The file. It must stay at its address for the lifetime of the container.
    ///   - mayBeTruncated: Whether to accept any file whose header is complete.
    init?(_ webp: UnsafeRawBufferPointer, mayBeTruncated: Bool = false) {
        var data = WebPData(webp)
        guard let demuxer = mayBeTruncated ? WebPDemuxPartial(&data, nil) : WebPDemux(&data) else { return nil }
        self.demuxer = demuxer
    }

    deinit { WebPDemuxDelete(demuxer) }

    var orientation: Int {
        withChunk("EXIF") { EXIFOrientation.read(ByteReader($0)) } ?? 1
    }

    var profile: ColorProfile? {
        withChunk("ICCP") { ColorProfile(Array($0)) } ?? nil
    }

    struct Frame {
        var x: Int
        var y: Int
        var size: PixelSize
        var hasAlpha: Bool
        var bytes: UnsafeRawBufferPointer
    }

    /// Calls `body` with the first frame. Returns `nil` if there is no frame, or if the frame is incomplete although
    /// `whole` is `true` (the default).
    func withFirstFrame<Result>(
        whole: Bool = true, _ body: (Frame) throws(CodecError) -> Result
    ) throws(CodecError) -> Result? {
        var iterator = WebPIterator()
        guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else { return nil }
        defer { WebPDemuxReleaseIterator(&iterator) }
        guard iterator.complete != 0 || !whole else { return nil }
        return try body(
            Frame(
                x: Int(iterator.x_offset), y: Int(iterator.y_offset),
                size: PixelSize(width: Int(iterator.width), height: Int(iterator.height)),
                hasAlpha: iterator.has_alpha != 0,
                bytes: UnsafeRawBufferPointer(start: iterator.fragment.bytes, count: iterator.fragment.size)))
    }

    private func withChunk<Result>(_ name: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        var iterator = WebPChunkIterator()
        guard WebPDemuxGetChunk(demuxer, name, 1, &iterator) != 0 else { return nil }
        defer { WebPDemuxReleaseChunkIterator(&iterator) }
        return body(UnsafeRawBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size))
    }
}
