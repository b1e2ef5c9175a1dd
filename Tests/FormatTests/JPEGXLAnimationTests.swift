#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    @Suite struct JPEGXLAnimationTests {
        private static let orders = [[0, 1, 2, 3, 4, 0], [4, 0, 2, 2, 1, 3, 0, 4]]

        private static func drawn() throws -> [Bitmap] {
            let colors: [Color] = [(255, 0, 0, 255), (0, 200, 0, 255), (0, 0, 99, 255)]
            return try [Drawings.quarters(40, 24), Drawings.gradient(40, 24)]
                + colors.map { try Drawings.plain(40, 24, $0) }
        }

        private static func animation(
            _ file: Data, _ decoders: DecoderRegistry = Damage.decoders, limits: DecodeLimits = DecodeLimits()
        ) throws -> AnimatedImage {
            try #require(try decoders.animation(for: file, limits: limits))
        }

        @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
        func `frames come back in any order, here and in a worker`(isContained: Bool, isIsolated: Bool) throws {
            let frames = try Self.drawn()
            let file = try JPEGXLFile.encoded(frames) {
                ($0.isLossless, $0.isAnimated, $0.isContained, $0.loops) = (true, true, isContained, 3)
            }
            let workers = DecoderWorkers(limit: 1)
            let decoders = isIsolated ? DecoderRegistry.standard.isolated(in: workers) : Damage.decoders
            let header = try decoders.header(of: file)
            #expect(header.isAnimated && header.frameCount == 5 && header.duration == .milliseconds(500))
            for order in Self.orders {
                let animation = try Self.animation(file, decoders)
                #expect(animation.loopCount == 3)
                #expect(animation.durations == [Duration](repeating: .milliseconds(100), count: 5))
                for number in order {
                    #expect(try animation.frame(at: number).worstDistance(to: frames[number]) == 0, "\(number)")
                }
            }
            #expect(try decoders.decode(file).worstDistance(to: frames[0]) == 0)
            #expect(try decoders.decode(file).isFirstFrame)
        }

        /// Display P3. libjxl itself converts the lossy frames, which are in its own color space.
        @Test(arguments: [(true, false), (false, false), (true, true)])
        func `frames stay in Display P3`(isLossless: Bool, isIsolated: Bool) throws {
            let frames = try [(255, 0, 0, 255), (0, 255, 0, 255), (120, 110, 100, 255)].map {
                try Drawings.plain(40, 24, $0)
            }
            let file = try JPEGXLFile.encoded(frames) {
                ($0.isLossless, $0.isAnimated, $0.codePoints) = (isLossless, true, (11, 13))
            }
            let workers = DecoderWorkers(limit: 1)
            let decoders = isIsolated ? DecoderRegistry.standard.isolated(in: workers) : Damage.decoders
            let animation = try #require(try decoders.animation(for: file, gamut: .displayP3))
            for number in [0, 1, 2, 0] {
                let frame = try animation.frame(at: number)
                #expect(frame.gamut == .displayP3)
                #expect(frame.worstDistance(to: frames[number]) <= (isLossless ? 0 : 16), "\(number)")
            }
            #expect(try animation.frame(at: 0).worstDistance(to: decoders.decode(file, gamut: .displayP3)) <= 1)
            let written = try animation.encoded(as: .webpLossless)
            #expect(decoders.colors(of: written) == "Display P3")
            #expect(try #require(try decoders.animation(for: file)).frame(at: 0).gamut == .sRGB)
        }

        /// A white canvas; a red part; a part that is half green; a blue part, which no later frame keeps; and a black part.
        private static func parts() throws -> (file: Data, frames: [Bitmap]) {
            var file = JPEGXLFile(width: 20, height: 10)
            (file.hasAlpha, file.isLossless, file.isAnimated) = (true, true, true)
            func plain(_ count: Int, _ color: [UInt8]) -> JPEGXLFile.Frame {
                JPEGXLFile.Frame((0..<count).flatMap { _ in color })
            }
            var frames = [plain(200, [255, 255, 255, 255])]
            frames += [[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 255], [0, 0, 0, 255]].map { plain(16, $0) }
            for number in 1...4 {
                frames[number].crop = (x: Int32(4 * number), y: 3, width: 4, height: 4)
                frames[number].blends = true
            }
            for number in 0...2 { frames[number].isKept = true }
            let colors: [Int: Color] = [1: (255, 0, 0, 255), 2: (127, 255, 127, 255), 3: (0, 0, 255, 255)]
            let shown = [[], [1], [1, 2], [1, 2, 3], [1, 2, 4]]
            let bitmaps = try shown.map { parts in
                try Drawings.drawn(20, 10, hasAlpha: true) { x, y in
                    guard (3..<7).contains(y), parts.contains(x / 4) else { return (255, 255, 255, 255) }
                    return colors[x / 4] ?? (0, 0, 0, 255)
                }
            }
            return (try file.encoded(frames), bitmaps)
        }

        @Test(arguments: [false, true])
        func `a frame that covers a part of the canvas lies over the frames that are kept`(isIsolated: Bool) throws {
            let (file, frames) = try Self.parts()
            let workers = DecoderWorkers(limit: 1)
            let decoders = isIsolated ? DecoderRegistry.standard.isolated(in: workers) : Damage.decoders
            for order in Self.orders {
                let animation = try Self.animation(file, decoders)
                for number in order {
                    #expect(try animation.frame(at: number).worstDistance(to: frames[number]) <= 1, "\(number)")
                }
            }
        }

        @Test func `layers without a duration are parts of the frame above them`() throws {
            var file = JPEGXLFile(width: 8, height: 8)
            (file.hasAlpha, file.isLossless, file.isAnimated) = (true, true, true)
            var frames = [[255, 0, 0, 255], [0, 0, 0, 0], [0, 255, 0, 255]].map { color in
                JPEGXLFile.Frame((0..<64).flatMap { _ in color })
            }
            (frames[0].ticks, frames[0].isKept, frames[1].blends) = (0, true, true)
            let data = try file.encoded(frames)
            #expect(try Damage.decoders.header(of: data).frameCount == 2)
            let animation = try Self.animation(data)
            #expect(try animation.frame(at: 0).pixel(3, 3) == (255, 0, 0, 255))
            #expect(try animation.frame(at: 1).pixel(3, 3) == (0, 255, 0, 255))
            let still = try file.encoded(Array(frames.prefix(2)))
            #expect(try Damage.decoders.header(of: still).frameCount == 1)
            #expect(try Damage.decoders.animation(for: still) == nil)
            #expect(try !Damage.decoders.decode(still).isFirstFrame)
        }

        @Test(arguments: 1...8)
        func `frames come upright and keep their transparency`(orientation: Int) throws {
            let veil = try Drawings.veil(40, 24)
            let file = try JPEGXLFile.encoded([veil, try Drawings.veil(40, 24)]) {
                ($0.isLossless, $0.isAnimated, $0.orientation) = (true, true, orientation)
            }
            let animation = try Self.animation(file)
            let expected = try veil.upright(from: orientation)
            #expect(animation.size == expected.size)
            let frame = try animation.frame(at: 1)
            #expect(frame.hasAlpha && frame.worstDistance(to: expected) <= 1)
        }

        @Test func `the colors of each frame come out in sRGB`() throws {
            let gray = try Drawings.plain(16, 16, (128, 128, 128, 255))
            let file = try JPEGXLFile.encoded([gray, gray, gray]) {
                ($0.isLossless, $0.isAnimated, $0.isLinear) = (true, true, true)
            }
            let animation = try Self.animation(file)
            // Half of the linear light is 188 in sRGB.
            for number in [0, 2, 1] { #expect(abs(Int(try animation.frame(at: number).pixel(8, 8).red) - 188) <= 2) }
        }

        @Test(
            arguments: [
                (250, 1000, 1, .milliseconds(250)), (1, 24, 1, .nanoseconds(41_666_667)),
                (2, 30_000, 1001, .nanoseconds(66_733_333)), (10, 1000, 1, .milliseconds(100)),
                (11, 1000, 1, .milliseconds(11)), (86_400, 1, 1, .seconds(86_400)), (86_401, 1, 1, .seconds(86_400)),
                (.max, 1, 1001, .seconds(86_400)),
            ] as [(UInt32, UInt32, UInt32, Duration)])
        func `ticks become a duration`(
            ticks: UInt32, numerator: UInt32, denominator: UInt32, expected: Duration
        ) throws {
            var file = JPEGXLFile(width: 1, height: 1)
            (file.isLossless, file.isAnimated, file.ticksPerSecond) = (true, true, (numerator, denominator))
            var frame = JPEGXLFile.Frame([1, 2, 3])
            frame.ticks = ticks
            let data = try file.encoded([frame, frame])
            #expect(try Self.animation(data).durations == [expected, expected])
            #expect(try Damage.decoders.header(of: data).duration == expected * 2)
        }

        @Test(arguments: [0: 0, 1: 1, 7: 7] as [UInt32: Int])
        func `an animation plays as often as the file says`(loops: UInt32, expected: Int) throws {
            let file = try JPEGXLFile.animation(width: 2, height: 2, colors: [0, 1], loops: loops)
            #expect(try Self.animation(file).loopCount == (expected == 0 ? nil : expected))
        }

        @Test func `more frames than the limit are too large, but not for a still image`() throws {
            let file = try JPEGXLFile.animation(width: 2, height: 2, colors: Array(0..<9))
            for (most, isOpened) in [(8, false), (9, true), (10, true), (.max, true), (0, false), (-1, false)] {
                var limits = DecodeLimits()
                limits.maxFrames = most
                if isOpened {
                    #expect(try Self.animation(file, limits: limits).frameCount == 9)
                } else {
                    let error = #expect(throws: CodecError.self) { try Self.animation(file, limits: limits) }
                    #expect(error?.code == .tooLarge)
                }
                #expect(try Damage.decoders.decode(file, limits: limits).width == 2)
            }
            var limits = DecodeLimits()
            for (most, isEncoded) in [((9 << 14) - 1, false), (9 << 14, true)] {
                limits.maxAnimationPixels = most
                let animation = try Self.animation(file, limits: limits)
                #expect((try? animation.encoded(as: .webpLossless)) != nil || !isEncoded)
                #expect((try? animation.encoded(as: .webpLossless)) == nil || isEncoded)
            }
        }

        @Test func `a hundred thousand frames are counted, and no more are listed than the limit permits`() throws {
            let files = try [2, 3].map { count in
                try JPEGXLFile.animation(width: 1, height: 1, colors: Array(repeating: 0, count: count))
            }
            let place = zip(files[0], files[1]).prefix { $0 == $1 }.count
            let frame = files[1][place..<place + files[1].count - files[0].count]
            let more = Data((0..<99_998).flatMap { _ in frame })
            let file = files[0].prefix(place) + more + files[0].dropFirst(place)
            #expect(try Damage.decoders.header(of: file).frameCount == 100_000)
            let error = #expect(throws: CodecError.self) { try Self.animation(file) }
            #expect(error?.code == .tooLarge)
            var limits = DecodeLimits()
            limits.maxFrames = 100_000
            #expect(try Self.animation(file, limits: limits).frame(at: 99_999).width == 1)
        }

        @Test func `frames before a cut stay, and an incomplete one does not count`() throws {
            let frames = try Self.drawn()
            let file = try JPEGXLFile.encoded(frames) { ($0.isLossless, $0.isAnimated) = (true, true) }
            var counts: [Int] = []
            for end in 0..<file.count {
                let part = file.prefix(end)
                do {
                    guard let animation = try Damage.decoders.animation(for: part) else { continue }
                    counts.append(animation.frameCount)
                    for number in 0..<animation.frameCount {
                        // libjxl finds the end of the last frame only when it decodes it.
                        let shown = try animation.frame(at: number)
                        #expect(shown.worstDistance(to: frames[min(number, 3)]) == 0, "\(number) of \(end)")
                    }
                } catch {
                    #expect([.damaged, .notAnImage].contains(error.code), "\(error)")
                }
            }
            // The second frame makes it an animation, and the third is whole once the fourth has begun.
            #expect(counts == counts.sorted() && Set(counts) == [2, 3, 5], "\(Set(counts))")
        }

        @Test func `a damaged frame is an error, and the others come`() throws {
            let noise = try (0..<4).map { _ in try Drawings.noise(40, 30) }
            let file = try JPEGXLFile.encoded(noise) { ($0.isLossless, $0.isAnimated) = (true, true) }
            for broken in Damage.flipped(file, 150) {
                guard let animation = try? Damage.decoders.animation(for: broken) else { continue }
                for number in [1, 0, 3, 2, 3].filter({ $0 < animation.frameCount }) {
                    do {
                        #expect(try animation.frame(at: number).size == animation.size)
                    } catch {
                        #expect([.damaged, .tooLarge].contains(error.code), "\(error)")
                    }
                }
            }
            var broken = file
            for offset in file.count * 3 / 8..<file.count * 3 / 8 + 40 { broken[offset] = 0xFF }
            let animation = try Self.animation(broken)
            #expect(try animation.frame(at: 0).worstDistance(to: noise[0]) == 0)
            let error = #expect(throws: CodecError.self) { try animation.frame(at: 1) }
            #expect(error?.code == .damaged)
            #expect(try animation.frame(at: 2).worstDistance(to: noise[2]) == 0)
            #expect(try animation.frame(at: 3).worstDistance(to: noise[3]) == 0)
        }

        @Test func `frames become an animated WebP`() throws {
            let frames = try Self.drawn()
            let file = try JPEGXLFile.encoded(frames) {
                ($0.isLossless, $0.isAnimated, $0.loops) = (true, true, 2)
            }
            let webp = try Self.animation(file).encoded(as: .webpLossless)
            let copy = try Self.animation(webp)
            #expect(copy.frameCount == 5 && copy.loopCount == 2 && copy.durations[4] == .milliseconds(100))
            for number in 0..<5 { #expect(try copy.frame(at: number).worstDistance(to: frames[number]) == 0) }
        }

        @Test func `large frames have memory in a worker`() throws {
            let workers = DecoderWorkers(limit: 1)
            let frames = try [Drawings.gradient(1600, 1200), Drawings.quarters(1600, 1200)]
            let file = try JPEGXLFile.encoded(frames) { $0.isAnimated = true }
            let animation = try Self.animation(file, DecoderRegistry.standard.isolated(in: workers))
            for number in [0, 1, 0] { #expect(try animation.frame(at: number).size == frames[0].size) }
            #expect(workers.counters.ended.isEmpty)
        }
    }
#endif
