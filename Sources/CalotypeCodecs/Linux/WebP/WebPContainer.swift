import CWebP

/// The chunks of a WebP file around the images in it.
struct WebPContainer: ~Copyable {
    private let demuxer: OpaquePointer

    /// Returns `nil` if the container is broken; the image in it may still be readable.
    ///
    /// - Parameter webp: must stay where it is while the container lives.
    init?(_ webp: UnsafeRawBufferPointer) {
        var data = WebPData(bytes: webp.baseAddress?.assumingMemoryBound(to: UInt8.self), size: webp.count)
        guard let demuxer = WebPDemux(&data) else { return nil }
        self.demuxer = demuxer
    }

    /// The chunks at the beginning of a file that may be cut short; nil where not even its head is there.
    init?(beginning webp: UnsafeRawBufferPointer) {
        var data = WebPData(bytes: webp.baseAddress?.assumingMemoryBound(to: UInt8.self), size: webp.count)
        guard let demuxer = WebPDemuxPartial(&data, nil) else { return nil }
        self.demuxer = demuxer
    }

    deinit { WebPDemuxDelete(demuxer) }

    var orientation: Int {
        withChunk("EXIF") { EXIFOrientation.read(ByteReader($0)) } ?? 1
    }

    var profile: ColorProfile? {
        withChunk("ICCP") { ColorProfile(Array($0)) } ?? nil
    }

    /// Where a frame stands on the canvas, and its bytes.
    struct Frame {
        var x: Int
        var y: Int
        var size: PixelSize
        var hasAlpha: Bool
        var bytes: UnsafeRawBufferPointer
    }

    /// Gives the first frame to `body`; nil where there is none, or none that is whole.
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
