#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import Testing

    typealias Color = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

    enum Drawings {
        /// - Parameter color: A straight color, not premultiplied.
        static func drawn(
            _ width: Int, _ height: Int, hasAlpha: Bool = false, _ color: (Int, Int) -> Color
        ) throws(CodecError) -> Bitmap {
            try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { pixels, stride in
                for y in 0..<height {
                    for x in 0..<width {
                        let (red, green, blue, alpha) = color(x, y)
                        func premultiplied(_ channel: UInt8) -> UInt8 {
                            UInt8((Int(channel) * Int(alpha) * 2 + 255) / 510)
                        }
                        let channels: [UInt8] = [
                            premultiplied(blue), premultiplied(green), premultiplied(red), alpha,
                        ]
                        for (index, channel) in channels.enumerated() { pixels[y * stride + 4 * x + index] = channel }
                    }
                }
            }
        }

        static func plain(_ width: Int, _ height: Int, _ color: Color) throws(CodecError) -> Bitmap {
            try drawn(width, height) { _, _ in color }
        }

        static func gradient(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
            try drawn(width, height) { x, y in
                (UInt8(255 * x / width), UInt8(255 * y / height), UInt8(255 * (x + y) / (width + height)), 255)
            }
        }

        static func veil(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
            try drawn(width, height, hasAlpha: true) { x, y in
                (UInt8(255 * x / width), UInt8(255 * y / height), 99, UInt8(128 + 127 * x / width))
            }
        }

        /// Draws red, green, blue and white quarters, which distinguish all orientations.
        static func quarters(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
            try drawn(width, height) { x, y in
                switch (x < width / 2, y < height / 2) {
                case (true, true): (255, 0, 0, 255)
                case (false, true): (0, 255, 0, 255)
                case (true, false): (0, 0, 255, 255)
                case (false, false): (255, 255, 255, 255)
                }
            }
        }

        static func noise(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
            var state: UInt32 = 1
            return try drawn(width, height) { _, _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return (UInt8(state >> 24), UInt8(state >> 16 & 255), UInt8(state >> 8 & 255), 255)
            }
        }
    }

    extension Bitmap {
        var size: PixelSize { PixelSize(width: width, height: height) }

        /// Returns a pixel of the bitmap, premultiplied.
        func pixel(_ x: Int, _ y: Int) -> Color {
            withUnsafeBytes { bytes in
                let start = y * stride + 4 * x
                return (bytes[start + 2], bytes[start + 1], bytes[start], bytes[start + 3])
            }
        }

        func worstDistance(to other: Bitmap) -> Int {
            var worst = 0
            for y in 0..<min(height, other.height) {
                for x in 0..<min(width, other.width) {
                    let (one, two) = (pixel(x, y), other.pixel(x, y))
                    for (a, b) in [(one.0, two.0), (one.1, two.1), (one.2, two.2), (one.3, two.3)] {
                        worst = max(worst, abs(Int(a) - Int(b)))
                    }
                }
            }
            return worst
        }

        func straightRGBA(hasAlpha: Bool) -> [UInt8] {
            (0..<height).flatMap { y in
                (0..<width).flatMap { x -> [UInt8] in
                    let (red, green, blue, alpha) = pixel(x, y)
                    let straight = [red, green, blue].map {
                        alpha == 0 ? 0 : UInt8(min(255, (Int($0) * 255 + Int(alpha) / 2) / Int(alpha)))
                    }
                    return hasAlpha ? straight + [alpha] : straight
                }
            }
        }

        /// Returns the upright image of a file with this EXIF orientation.
        func upright(from orientation: Int) throws -> Bitmap {
            let turns = [0, 0, 2, 2, 1, 1, 3, 3][orientation - 1]
            let isFlipped = [2, 4, 5, 7].contains(orientation)
            let turned = try applying(.rotate(quarterTurns: orientation == 4 ? 0 : turns))
            guard isFlipped else { return turned }
            return try turned.applying(.flip(orientation == 4 ? .vertical : .horizontal))
        }
    }

    extension Data {
        func decoded(
            _ target: ResizeTarget? = nil, limits: DecodeLimits = DecodeLimits()
        ) throws(CodecError) -> Bitmap {
            try DecoderRegistry.standard.plan(for: self, target: target, limits: limits).decode()
        }
    }

    enum Damage {
        /// A registry that decodes in this process: damage ends a worker, and hundreds would have to start.
        static let decoders = DecoderRegistry.standard.isolated(by: .off)

        /// Returns the file without its last sixteenths, from one to fifteen.
        static func shortened(_ file: Data) -> [Data] {
            (1..<16).map { file.prefix(file.count * $0 / 16) }
        }

        /// Returns the file with one to four flipped bits, equal in each run.
        static func flipped(_ file: Data, _ count: Int) -> [Data] {
            var state: UInt32 = 42
            func random(_ bound: Int) -> Int {
                state = state &* 1_664_525 &+ 1_013_904_223
                return Int(state >> 8) % bound
            }
            return (0..<count).map { _ in
                var broken = file
                for _ in 0...random(3) { broken[broken.startIndex + random(file.count)] ^= 1 << random(8) }
                return broken
            }
        }

        /// Checks missing or changed bytes: the result is pixels of the header's size, or an error of a known kind.
        static func check(_ file: Data) throws {
            for part in shortened(file) {
                let error = #expect(throws: CodecError.self, "\(part.count) bytes") { try decoders.decode(part) }
                #expect([.damaged, .notAnImage].contains(error?.code), "\(part.count): \(error?.message ?? "")")
            }
            var limits = DecodeLimits()
            limits.maxPixels = 20_000
            for broken in flipped(file, 150) {
                do {
                    let plan = try decoders.plan(for: broken, limits: limits)
                    #expect(try plan.decode().size == plan.outputSize)
                } catch {
                    #expect([.notAnImage, .damaged, .tooLarge, .unsupported].contains(error.code), "\(error)")
                }
            }
        }
    }
#endif
