import CZlib
import CalotypeHTTP
import Foundation

/// A decoder for "gzip" or "deflate" (RFC 9110 §8.4.1). Pieces have at most 64 KiB, whatever the compression ratio.
struct InflateFilter: BodyFilter {
    private static let pieceSize = 64 << 10

    private let coding: ContentCoding
    private var stream: InflateStream?
    private var input = Data()
    private var hasEnded = false
    /// Whether zlib filled the last piece and may therefore have more output without more input.
    private var holdsMore = false

    init(_ coding: ContentCoding) { self.coding = coding }

    mutating func push(_ chunk: Data) {
        if input.isEmpty { input = chunk } else { input.append(chunk) }
    }

    mutating func pull() throws(TransportError) -> Data? {
        while !input.isEmpty || holdsMore {
            if hasEnded {
                guard isNextMember else { break }
                (stream, hasEnded) = (nil, false)
            }
            guard let stream = try openStream() else { return nil }
            let step = stream.inflate(input, atMost: Self.pieceSize)
            input = input.dropFirst(step.consumed)
            switch step.status {
            case .ended: (hasEnded, holdsMore) = (true, false)
            case .goesOn: holdsMore = step.output.count == Self.pieceSize
            case .damaged(let reason): throw failed("the \(coding.rawValue) body is damaged: \(reason)")
            }
            if !step.output.isEmpty { return step.output }
        }
        input = Data()
        return nil
    }

    mutating func finish() throws(TransportError) {
        // A body without bytes is complete, whatever its coding.
        if stream == nil && input.isEmpty { return }
        guard hasEnded else { throw failed("the \(coding.rawValue) body ends early") }
    }

    /// Whether another gzip member follows (RFC 1952 §2.2). Other bytes after the end are padding, and ignored.
    private var isNextMember: Bool { coding == .gzip && input.first == 0x1F }

    private mutating func openStream() throws(TransportError) -> InflateStream? {
        if let stream { return stream }
        guard let format = format() else { return nil }
        guard let opened = InflateStream(windowBits: format) else { throw failed("no memory to decode the body") }
        stream = opened
        return opened
    }

    /// Returns the format for zlib. "deflate" means the zlib format, but some servers send raw deflate: the first two
    /// bytes decide. Returns `nil` until both have arrived.
    private func format() -> Int32? {
        if coding == .gzip { return 15 + 16 }
        guard input.count >= 2, let first = input.first else { return nil }
        let header = UInt16(first) << 8 | UInt16(input[input.startIndex + 1])
        return first & 0x0F == 8 && header % 31 == 0 ? 15 : -15
    }

    private func failed(_ reason: String) -> TransportError { TransportError(.contentDecodingFailed, reason) }
}

private final class InflateStream {
    enum Status { case goesOn, ended, damaged(String) }

    // On the heap, because zlib keeps a pointer to the stream, which must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init?(windowBits: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard calotype_inflate_init(stream, windowBits) == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func inflate(_ input: Data, atMost limit: Int) -> (output: Data, consumed: Int, status: Status) {
        var output = Data(count: limit)
        let given = min(input.count, Int(UInt32.max))
        let result = output.withUnsafeMutableBytes { room in
            input.withUnsafeBytes { bytes in
                // zlib only reads from `next_in`; old headers lack the `const`.
                stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
                stream.pointee.avail_in = UInt32(given)
                stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(limit)
                return CZlib.inflate(stream, Z_NO_FLUSH)
            }
        }
        output.count = limit - Int(stream.pointee.avail_out)
        let consumed = given - Int(stream.pointee.avail_in)
        switch result {
        case Z_OK, Z_BUF_ERROR: return (output, consumed, .goesOn)
        case Z_STREAM_END: return (output, consumed, .ended)
        default:
            return (output, consumed, .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "error \(result)"))
        }
    }
}
