import CTurboJPEG
import Foundation

/// The minimum calls to libjpeg-turbo for a decode, and for a thumbnail also the loops of a Lanczos-3 filter.
enum BareJPEG {
    /// Decodes at full size, and frees the pixels.
    static func decode(_ data: Data) throws {
        try withDecompressor(data) { handle, bytes, header in
            let pixels = try decompress(handle, bytes, width: header.width, height: header.height)
            free(pixels)
        }
    }

    /// Decodes at the smallest scale that yields at least twice `width`, filters, and frees the pixels.
    static func thumbnail(_ data: Data, width: Int) throws {
        try withDecompressor(data) { handle, bytes, header in
            let height = (header.height * width + header.width / 2) / header.width
            let factor = scalingFactor(from: header.width, to: 2 * width)
            let scaled = (width: factor.applied(to: header.width), height: factor.applied(to: header.height))
            let decoded = try decompress(handle, bytes, width: scaled.width, height: scaled.height)
            defer { free(decoded) }
            try BareResampler.scale(
                decoded.assumingMemoryBound(to: UInt8.self), width: scaled.width, height: scaled.height, to: width,
                height)
        }
    }

    private static func withDecompressor(
        _ data: Data, _ body: (tjhandle, UnsafeRawBufferPointer, (width: Int, height: Int)) throws -> Void
    ) throws {
        guard let handle = tjInitDecompress() else { throw BenchError("libjpeg-turbo gave no handle") }
        defer { tjDestroy(handle) }
        try data.withUnsafeBytes { bytes in
            var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let status = tjDecompressHeader3(
                handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(bytes.count), &width, &height,
                &subsampling, &space)
            guard status == 0 else { throw BenchError("libjpeg-turbo could not read the header") }
            try body(handle, bytes, (Int(width), Int(height)))
        }
    }

    private static func decompress(
        _ handle: tjhandle, _ bytes: UnsafeRawBufferPointer, width: Int, height: Int
    ) throws -> UnsafeMutableRawPointer {
        let pixels = try allocate(4 * width * height)
        let status = tjDecompress2(
            handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(bytes.count),
            pixels.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(4 * width), Int32(height),
            Int32(TJPF_BGRA.rawValue), 0)
        guard status == 0 else { throw BenchError("libjpeg-turbo could not decode") }
        return pixels
    }

    private static func allocate(_ bytes: Int) throws -> UnsafeMutableRawPointer {
        guard let memory = malloc(bytes) else { throw BenchError("no memory") }
        return memory
    }

    private static func scalingFactor(from source: Int, to target: Int) -> tjscalingfactor {
        var count: Int32 = 0
        let factors = UnsafeBufferPointer(start: tjGetScalingFactors(&count), count: Int(count))
        // Only factors with the numerator 1 have vector code.
        let large = factors.filter { $0.num == 1 && $0.applied(to: source) >= target }
        return large.min { $0.applied(to: source) < $1.applied(to: source) } ?? tjscalingfactor(num: 1, denom: 1)
    }
}

extension tjscalingfactor {
    /// Returns the scaled length, like TurboJPEG's macro TJSCALED.
    func applied(to length: Int) -> Int { (length * Int(num) + Int(denom) - 1) / Int(denom) }
}
