#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    @Suite struct JPEGXLPreviewTests {
        /// Several parts of 256 pixels a side, with shapes and texture.
        private static func photo(_ width: Int = 520, _ height: Int = 300) throws -> Bitmap {
            var state: UInt32 = 7
            return try Drawings.drawn(width, height) { x, y in
                state = state &* 1_664_525 &+ 1_013_904_223
                let grain = Int(state >> 27)
                let disk = (x - width / 2) * (x - width / 2) + (y - height / 2) * (y - height / 2) < height * height / 9
                return (
                    UInt8(40 + 150 * x / width + grain), UInt8(disk ? 200 + grain : 30 + 150 * y / height + grain),
                    UInt8(60 + grain + 100 * (x / 40 % 2)), 255
                )
            }
        }

        private static func begin(
            _ file: Data, _ decoders: DecoderRegistry = Damage.decoders, _ target: ResizeTarget? = nil
        ) -> PreviewBeginning {
            file.withUnsafeBytes {
                decoders.previews(of: $0, target: target, limits: DecodeLimits(), mayBlock: true)
            }
        }

        private static func session(
            _ file: Data, _ decoders: DecoderRegistry = Damage.decoders, _ target: ResizeTarget? = nil
        ) throws -> PreviewSession {
            guard case .session(let session) = begin(file, decoders, target) else {
                throw CodecError(.unsupported, "no previews")
            }
            return session
        }

        /// Returns the previews of a file that comes in so many pieces.
        private static func previews(
            of file: Data, pieces: Int = 20, _ decoders: DecoderRegistry = Damage.decoders,
            _ target: ResizeTarget? = nil
        ) throws -> [ImagePreview] {
            let session = try session(file, decoders, target)
            return (1..<pieces).compactMap { try? session.preview(of: Data(file.prefix(file.count * $0 / pieces))) }
        }

        @Test(arguments: [false, true])
        func `previews show the whole image first at an eighth, and then in growing detail`(
            isProgressive: Bool
        ) throws {
            let drawn = try Self.photo()
            for isContained in [false, true] {
                let file = try JPEGXLFile.encoded([drawn]) {
                    ($0.isProgressive, $0.isContained) = (isProgressive, isContained)
                }
                let whole = try file.decoded()
                let previews = try Self.previews(of: file)
                let distances = try previews.map { try #require($0.bitmap.meanDistance(to: whole)) }
                #expect(previews.count >= 3 && previews.first?.detail == PixelSize(width: 65, height: 38))
                #expect(previews.map(\.detail.width) == previews.map(\.detail.width).sorted())
                #expect(distances == distances.sorted(by: >), "\(distances)")
                #expect(previews.allSatisfy { !$0.bitmap.hasAlpha && $0.bitmap.size == drawn.size })
                // No part is black because it has not come: the darkest is as light as in the image.
                #expect(previews.allSatisfy { $0.bitmap.isLighter(than: 8) })
                // Until libjxl 0.8, its encoder writes a single pass.
                let hasPasses = isProgressive && JPEGXLFile.writesPasses
                #expect(previews.last?.detail.width == (hasPasses ? 260 : 65))
            }
        }

        @Test func `a JPEG in a JPEG XL has previews, too`() throws {
            let file = try Damage.decoders.transcoded(Self.photo().encoded(as: .jpeg(quality: 90)))
            let previews = try Self.previews(of: file)
            #expect(!previews.isEmpty && previews.allSatisfy { $0.bitmap.isLighter(than: 8) })
        }

        @Test func `a preview is the same in a worker, which tells that the header is read there`() throws {
            let workers = DecoderWorkers(limit: 1)
            let apart = DecoderRegistry.standard.isolated(by: .riskyFormats(in: workers))
            let target = ResizeTarget(width: 200, height: 200, mode: .fill)
            let file = try JPEGXLFile.encoded([Self.photo()]) { $0.isProgressive = true }
            let beginning = file.withUnsafeBytes { apart.previews(of: $0, target: target, limits: DecodeLimits()) }
            guard case .inWorker = beginning, case .tooEarly = Self.begin(file.prefix(4), apart) else {
                Issue.record("another beginning")
                return
            }
            let previews = try Self.previews(of: file, pieces: 12, apart, target)
            let here = try Self.previews(of: file, pieces: 12, Damage.decoders, target)
            #expect(previews.map(\.detail) == here.map(\.detail) && !here.isEmpty)
            for (one, other) in zip(previews, here) { #expect(one.bitmap.worstDistance(to: other.bitmap) == 0) }
            #expect(workers.counters.ended.isEmpty && previews[0].bitmap.size == PixelSize(width: 200, height: 200))
        }

        @Test func `bytes without new detail have no preview`() throws {
            let file = try JPEGXLFile.encoded([Self.photo()])
            let session = try Self.session(file)
            let part = file.prefix(file.count / 2)
            #expect(try session.preview(of: part) != nil)
            #expect(try session.preview(of: part) == nil)
            #expect(try session.preview(of: file.prefix(file.count / 2 + 1)) == nil)
            #expect(session.heldBytes == 0)
        }

        @Test func `a file in one part, and a lossless one, have none`() throws {
            for file in [
                try JPEGXLFile.encoded([Self.photo(200, 100)]),
                try JPEGXLFile.encoded([Self.photo()]) { $0.isLossless = true },
            ] {
                #expect(try Self.previews(of: file).isEmpty)
            }
        }

        @Test func `an animation, and an image with transparency, have none`() throws {
            let drawn = try Self.photo()
            for file in [
                try JPEGXLFile.encoded([Drawings.veil(600, 400)]),
                try JPEGXLFile.encoded([drawn, drawn]) { $0.isAnimated = true },
            ] {
                guard case .none = Self.begin(file) else {
                    Issue.record("a session")
                    continue
                }
            }
        }

        @Test(arguments: 1...8) func `previews stand upright`(orientation: Int) throws {
            let quarters = try Drawings.quarters(640, 400)
            let file = try JPEGXLFile.encoded([quarters]) { $0.orientation = orientation }
            let whole = try file.decoded()
            let previews = try Self.previews(of: file)
            #expect(!previews.isEmpty)
            for preview in previews {
                #expect(preview.bitmap.size == whole.size)
                #expect(preview.detail == PixelSize(width: (whole.width + 7) / 8, height: (whole.height + 7) / 8))
                #expect(try #require(preview.bitmap.meanDistance(to: whole)) < 12)
            }
        }

        @Test func `a file cut or damaged anywhere has a preview of its size, none, or a known error`() throws {
            let file = try JPEGXLFile.encoded([Self.photo(300, 280)]) { $0.isProgressive = true }
            let target = ResizeTarget(width: 30)
            for end in stride(from: 4, to: file.count, by: max(file.count / 300, 1)) {
                guard case .session(let session) = Self.begin(file.prefix(end), Damage.decoders, target) else {
                    continue
                }
                let preview = try session.preview(of: file.prefix(end))
                #expect(preview == nil || preview?.bitmap.width == 30)
            }
            for broken in Damage.flipped(file, 100) {
                guard case .session(let session) = Self.begin(broken, Damage.decoders, target) else { continue }
                for end in [broken.count / 3, broken.count * 2 / 3, broken.count] {
                    do {
                        _ = try session.preview(of: broken.prefix(end))
                    } catch {
                        #expect([.damaged, .tooLarge].contains(error.code), "\(error)")
                    }
                }
            }
        }

        @Test func `limits hold before a pixel is decoded`() throws {
            var limits = DecodeLimits()
            let file = try JPEGXLFile.encoded([Self.photo(300, 280)])
            for (most, isBegun) in [(83_999, false), (84_000, true)] {
                limits.maxPixels = most
                let beginning = file.withUnsafeBytes { Damage.decoders.previews(of: $0, target: nil, limits: limits) }
                if case .session = beginning { #expect(isBegun) } else { #expect(!isBegun) }
            }
        }
    }

    extension Bitmap {
        /// Returns the mean difference of a channel; `nil` if the sizes differ.
        fileprivate func meanDistance(to other: Bitmap) -> Double? {
            guard width == other.width, height == other.height else { return nil }
            var sum = 0
            forEachPixel { x, y, color in
                let there = other.pixel(x, y)
                sum +=
                    abs(Int(color.red) - Int(there.red)) + abs(Int(color.green) - Int(there.green))
                    + abs(Int(color.blue) - Int(there.blue))
            }
            return Double(sum) / Double(3 * width * height)
        }

        /// Whether each pixel has a channel above the level.
        fileprivate func isLighter(than level: UInt8) -> Bool {
            var isLighter = true
            forEachPixel { _, _, color in
                if max(color.red, color.green, color.blue) <= level { isLighter = false }
            }
            return isLighter
        }

        private func forEachPixel(_ body: (Int, Int, Color) -> Void) {
            for y in 0..<height {
                for x in 0..<width { body(x, y, pixel(x, y)) }
            }
        }
    }
#endif
