import CIsal
import CSpng

/// The rows of a PNG as its filters left them, inflated from the IDAT chunks while they are read.
///
/// ISA-L inflates in about half the time that zlib takes. A damaged stream fails with libspng's statuses. All bytes before
/// the damage are there, as with zlib; of a stream that is cut short, up to two may be missing.
final class InflatedPixels {
    /// The memory that an object takes, whatever the size of the image.
    static let workingBytes = calotype_inflater_bytes()

    /// The reason for which bytes are missing, or `nil` as long as none are.
    private(set) var failure: spng_errno?
    /// The file up to its end, which may precede the last bytes.
    private let file: UnsafeRawBufferPointer
    /// Whether an IEND chunk follows the last byte.
    private let isClosed: Bool
    private let checksSums: Bool
    private let inflater: WorkMemory
    /// The content of the current IDAT chunk, which is the next one until reading starts.
    private var content: Range<Int>
    private var isStarted = false
    /// Whether the inflater has the first byte of the stream.
    private var hasHead = false
    private var end = CALOTYPE_INFLATE_PAUSED

    /// - Parameters:
    ///   - file: The file. It must stay at its address for the lifetime of this object.
    ///   - content: The content of the first IDAT chunk.
    ///   - isClosed: Whether an IEND chunk replaces all that follows the file.
    ///   - checksSums: Whether a chunk with a wrong checksum ends the stream. That of the last row's chunk, and that of the
    ///     stream, are never checked: all pixels are there.
    init(
        _ file: UnsafeRawBufferPointer, firstChunk content: Range<Int>, isClosed: Bool, checksSums: Bool
    ) throws(CodecError) {
        inflater = try WorkMemory(bytes: Self.workingBytes)
        (self.file, self.content, self.isClosed, self.checksSums) = (file, content, isClosed, checksSums)
        calotype_inflate_start(inflater.start)
    }

    /// The offset after the current chunk and its checksum.
    var endOfChunk: Int { content.upperBound + 4 }

    /// Fills `target`, and returns the number of bytes: fewer only with a `failure`.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = target.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        var count = 0
        while count < target.count, failure == nil {
            let (place, rest) = (start + count, UInt32(min(target.count - count, 1 << 30)))
            switch end {
            case CALOTYPE_INFLATE_PAUSED:
                let written = calotype_inflate(inflater.start, place, rest, &end)
                count += Int(written)
                if written == 0, end == CALOTYPE_INFLATE_PAUSED { failure = feed() }
            case CALOTYPE_INFLATE_DAMAGED:
                let written = calotype_inflate_remainder(inflater.start, place, rest)
                count += Int(written)
                if written == 0 { failure = SPNG_EIDAT_STREAM }
            default: failure = SPNG_EIDAT_TOO_SHORT
            }
        }
        return count
    }

    /// Returns the failure of the stream's end after the last row, as far as the current chunk contains that end.
    ///
    /// This accepts a stream that continues with more bytes, and one that ends without its checksum or with a wrong one.
    func failureAfterLastRow() -> spng_errno? {
        var extra: UInt8 = 0
        if end == CALOTYPE_INFLATE_PAUSED, calotype_inflate(inflater.start, &extra, 1, &end) > 0 { return nil }
        guard end == CALOTYPE_INFLATE_DAMAGED else { return nil }
        return calotype_inflate_remainder(inflater.start, &extra, 1) > 0 ? nil : SPNG_EIDAT_STREAM
    }

    /// Whether the file ends in the current chunk or its checksum.
    var isCutShort: Bool { endOfChunk > file.count }

    /// Returns the failure of the current chunk's checksum: it is missing or wrong.
    private func failureOfChecksum() -> spng_errno? {
        if isCutShort { return SPNG_IO_EOF }
        return !checksSums || PNGChunks.hasRightSum(content, in: file) ? nil : SPNG_ECHUNK_CRC
    }

    /// Hands the next chunk to the inflater, or returns the reason for which there is no such chunk.
    private func feed() -> spng_errno? {
        // The inflater stops for no other reason.
        guard calotype_inflate_has_input(inflater.start) == 0 else { return SPNG_EIDAT_STREAM }
        if isStarted, let failure = failureOfChecksum() ?? failureOfNextHeader() { return failure }
        // Without the check of sums, missing bytes are missing pixels, also within a chunk.
        guard content.upperBound <= file.count || !checksSums else { return SPNG_IO_EOF }
        let bytes = UnsafeRawBufferPointer(rebasing: file[content.clamped(to: 0..<file.count)])
        // ISA-L takes a stream that announces a larger window than the format has.
        if !hasHead, let first = bytes.first, first >= 0x80 { return SPNG_EIDAT_STREAM }
        (isStarted, hasHead) = (true, hasHead || !bytes.isEmpty)
        calotype_inflate_feed(
            inflater.start, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count))
        return nil
    }

    private func failureOfNextHeader() -> spng_errno? {
        let (reader, offset) = (ByteReader(file), endOfChunk)
        guard let length = reader.uint32(at: offset), let name = reader.uint32(at: offset + 4) else {
            return isClosed ? SPNG_EIDAT_TOO_SHORT : SPNG_IO_EOF
        }
        guard length <= Int(Int32.max) else { return SPNG_ECHUNK_STDLEN }
        guard name == PNGChunks.Chunk.pixels else { return SPNG_EIDAT_TOO_SHORT }
        content = offset + 8..<offset + 8 + length
        return nil
    }
}

extension spng_ihdr {
    /// The number of bytes that the IDAT chunks inflate to: the filters and samples of all rows.
    var filteredBytes: Int {
        let bits = Int(bit_depth) * Int(colorType.samples)
        guard interlace_method != 0 else { return Self.filteredBytes(of: size, bitsPerPixel: bits) }
        return Adam7Grid.all.reduce(0) { bytes, grid in
            let (sum, overflows) = bytes.addingReportingOverflow(
                Self.filteredBytes(of: grid.size(in: size), bitsPerPixel: bits))
            return overflows ? .max : sum
        }
    }

    private static func filteredBytes(of size: PixelSize, bitsPerPixel: Int) -> Int {
        guard size.width > 0, size.height > 0 else { return 0 }
        let (bytes, overflows) = ((size.width * bitsPerPixel + 7) / 8 + 1).multipliedReportingOverflow(by: size.height)
        return overflows ? .max : bytes
    }
}
