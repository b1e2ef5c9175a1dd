/// The canvas of an animation, onto which frames are drawn in order. Initially transparent.
struct FrameCanvas {
    private let size: PixelSize
    /// The gamut of all pixels. Frames in another one are converted to it.
    private let gamut: ColorGamut
    /// The visible pixels, or `nil` if all are transparent.
    private(set) var pixels: Bitmap?
    private var last: AnimationFrame?
    /// The pixels before `last` was drawn, kept only if the disposal of `last` is `restore`.
    private var before: Bitmap?

    /// Creates a transparent canvas or, from a snapshot, the canvas with the `pixels` that result from drawing `frame`.
    init(size: PixelSize, gamut: ColorGamut, showing frame: AnimationFrame? = nil, pixels: Bitmap? = nil) {
        (self.size, self.gamut, self.pixels, last) = (size, gamut, pixels, frame)
    }

    /// Disposes of the last frame, and draws the frame that follows it.
    ///
    /// - Parameter drawn: The frame's pixels, or `nil` if its rectangle is empty.
    mutating func draw(_ frame: AnimationFrame, pixels drawn: Bitmap?) throws(CodecError) {
        try disposeLast()
        last = frame
        before = frame.disposal == .restore ? pixels : nil
        guard let drawn = try drawn?.converted(to: gamut) else { return }
        guard drawn.size == frame.rect.size else {
            throw CodecError(.damaged, "a frame of \(drawn.size) pixels, \(frame.rect.size) were announced")
        }
        if drawn.size == size, frame.replaces {
            pixels = drawn
        } else {
            try change { $0.draw(drawn, at: frame.rect, blending: frame.blends && frame.hasAlpha) }
        }
    }

    private mutating func disposeLast() throws(CodecError) {
        guard let last else { return }
        switch last.disposal {
        case .keep: break
        case .restore: pixels = before
        case .clear where last.rect.size == size: pixels = nil
        case .clear: if pixels != nil, !last.isEmpty { try change { $0.clear(last.rect) } }
        }
        before = nil
    }

    private mutating func change(_ body: (PixelRows) -> Void) throws(CodecError) {
        var canvas = if let pixels { pixels } else { try Bitmap.transparent(size).declaring(gamut: gamut) }
        // Release this reference, so that the pixels change in place unless a returned frame or a snapshot shares them.
        pixels = nil
        let stride = canvas.stride
        try canvas.withUnsafeMutableBytes { (bytes) throws(CodecError) in
            body(PixelRows(bytes, width: size.width, height: size.height, stride: stride))
        }
        pixels = canvas
    }
}

extension PixelRows {
    fileprivate func clear(_ rect: PixelRect) {
        for y in rect.y..<rect.y + rect.height {
            UnsafeMutableBufferPointer(rebasing: row(y)[rect.x..<rect.x + rect.width]).update(repeating: 0)
        }
    }

    fileprivate func draw(_ frame: Bitmap, at rect: PixelRect, blending: Bool) {
        frame.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<rect.height {
                let source = (base + y * frame.stride).assumingMemoryBound(to: UInt32.self)
                guard let target = row(rect.y + y).baseAddress.map({ $0 + rect.x }) else { return }
                if blending {
                    for x in 0..<rect.width { target[x].blend(source[x]) }
                } else {
                    target.update(from: source, count: rect.width)
                }
            }
        }
    }
}

extension UInt32 {
    @inline(__always)
    fileprivate mutating func blend(_ pixel: UInt32) {
        let alpha = pixel >> 24
        if alpha == 255 {
            self = pixel
        } else if alpha != 0 {
            // Two channels at a time, rounded to nearest.
            let (even, odd) = (self & 0xFF_00FF, self >> 8 & 0xFF_00FF)
            self = pixel &+ (even.scaledPair(by: 255 - alpha) | odd.scaledPair(by: 255 - alpha) << 8)
        }
    }
}
