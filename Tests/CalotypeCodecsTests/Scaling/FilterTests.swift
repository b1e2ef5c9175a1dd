import Testing

@testable import CalotypeCodecs

@Suite struct FilterTests {
    @Test(arguments: [
        (64, 48, 40, 30), (61, 47, 20, 33), (48, 48, 47, 7), (100, 3, 33, 2), (1, 50, 1, 9), (37, 29, 111, 80),
        (7, 5, 50, 3), (2, 2, 9, 9), (1, 1, 4, 4),
    ])
    func `every filter is exact to one level, against double precision`(
        width: Int, height: Int, newWidth: Int, newHeight: Int
    ) throws {
        let noise = try Pictures.noise(width, height)
        let size = PixelSize(width: newWidth, height: newHeight)
        for (filter, exact) in [
            (ResizeFilter.lanczos3, ExactFilter.lanczos3), (.catmullRom, .catmullRom), (.bilinear, .bilinear),
        ] {
            let error = try noise.scaled(to: size, filter: filter).error(against: exact.scaled(noise, to: size))
            #expect(error.largest < 0.75, "\(filter.rawValue)")
        }
    }

    @Test func `large factors stay next to the exact filter, though pairs are averaged first`() throws {
        let picture = try Bitmap.drawn(640, 480) { x, y in
            Pixel(UInt8((x * x + y * y) / 90 % 256), UInt8(x / 9 % 2 * 200), UInt8((x + y) * 255 / 1118))
        }
        let size = PixelSize(width: 32, height: 24)
        let error = try picture.scaled(to: size).error(against: ExactFilter.lanczos3.scaled(picture, to: size))
        #expect(error.largest < 8 && error.mean < 1)
    }

    @Test func `automatic is Lanczos-3 for a side that shrinks and Catmull-Rom for one that grows`() throws {
        let noise = try Pictures.noise(40, 30)
        let small = PixelSize(width: 20, height: 15), large = PixelSize(width: 60, height: 45)
        #expect(try noise.scaled(to: small).pixels == noise.scaled(to: small, filter: .lanczos3).pixels)
        #expect(try noise.scaled(to: large).pixels == noise.scaled(to: large, filter: .catmullRom).pixels)
        let unknown = ResizeFilter(rawValue: "unheard of")
        #expect(try noise.scaled(to: small).pixels == noise.scaled(to: small, filter: unknown).pixels)
        let results = try [ResizeFilter.box, .bilinear, .catmullRom, .lanczos3].map {
            try noise.scaled(to: small, filter: $0).pixels
        }
        #expect(Set(results).count == 4)
    }

    @Test(arguments: [ResizeFilter.automatic, .box, .bilinear, .catmullRom, .lanczos3])
    func `the weights of a pixel add up to one, and none reaches beyond the source`(filter: ResizeFilter) {
        let lengths = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 100, 101, 999, 4000, 65_535]
        for source in lengths {
            for target in lengths where target <= 4000 {
                let axis = AxisScaling(count: source, target: target, filter: filter)
                let weights = AxisWeights(axis)
                let taps = weights.taps
                #expect(weights.firsts.count == target && weights.weights.count == target * taps)
                #expect(taps <= axis.tapLimit && taps % 4 == 0)
                let isWhole = (0..<target).allSatisfy { pixel in
                    let own = weights.weights[pixel * taps..<(pixel + 1) * taps]
                    let last = own.lastIndex { $0 != 0 }.map { $0 - own.startIndex } ?? 0
                    return own.reduce(0) { $0 + Int($1) } == AxisWeights.one
                        && Int(weights.firsts[pixel]) + last < axis.halvedCount
                        && (axis.halvedCount < taps || Int(weights.firsts[pixel]) + taps <= axis.halvedCount)
                }
                #expect(isWhole, "\(source) to \(target)")
            }
        }
    }

    private func axis(_ source: Int, to target: Int = 40, _ filter: ResizeFilter = .lanczos3) -> AxisScaling {
        AxisScaling(count: source, target: target, filter: filter)
    }

    @Test func `weights of an axis are computed once, and are not those of another axis`() {
        let known = KnownWeights()
        let axes = [axis(100), axis(101), axis(100, to: 41), axis(100, .box), axis(100, .bilinear)]
        for axis in axes { #expect(known.weights(of: axis) == AxisWeights(axis)) }
        #expect(known.count == axes.count)
        for axis in axes {
            let weights = known.weights(of: axis)
            #expect(weights == AxisWeights(axis))
            #expect(weights.storage == known.weights(of: axis).storage)
        }
    }

    @Test func `sixteen axes at most are known, and one that others have displaced is known again`() {
        let known = KnownWeights()
        let first = known.weights(of: axis(100))
        for source in 101..<140 {
            #expect(known.weights(of: axis(source)) == AxisWeights(axis(source)))
            #expect(known.count <= 16)
        }
        let again = known.weights(of: axis(100))
        #expect(again == first && again.storage != first.storage)
        #expect(again.storage == known.weights(of: axis(100)).storage)
    }

    @Test func `weights of more than 32 KB are not kept`() {
        let known = KnownWeights()
        #expect(known.weights(of: axis(4000, to: 3000)) == AxisWeights(axis(4000, to: 3000)))
        #expect(known.count == 0)
    }

    @Test(arguments: [
        (100_000, 100_000, 400, 400), (65_535, 1, 1, 1), (1, 65_535, 1, 1), (65_535, 65_535, 1, 1),
        (30, 1_000_000, 30, 3), (4000, 3000, 400, 300),
    ])
    func `scaling holds a few rows of the result, whatever the source`(
        width: Int, height: Int, newWidth: Int, newHeight: Int
    ) {
        let scaling = ImageScaling(
            from: ImageExtent(PixelSize(width: width, height: height)),
            to: PixelSize(width: newWidth, height: newHeight),
            filter: .automatic)
        #expect(scaling.columns.ratio < 8 && scaling.rows.ratio < 8)
        #expect(scaling.workingBytes < 64 * 8 * (newWidth + 4) + 16 * width + 300 * (newWidth + newHeight))
    }

    @Test func `each halving of rows alone takes two more rows of full width`() {
        func workingBytes(height: Int) -> Int {
            ImageScaling(
                from: ImageExtent(PixelSize(width: 100, height: height)), to: PixelSize(width: 100, height: 16),
                filter: .automatic
            ).workingBytes
        }
        // The filter's input has 64 rows in both cases.
        #expect(workingBytes(height: 64 << 10) == workingBytes(height: 64) + 10 * 8 * 100)
    }

    @Test(arguments: [(65_535, 1), (1, 65_535), (4097, 3), (129, 511)])
    func `extreme factors keep the average`(width: Int, height: Int) throws {
        let ramp = try Bitmap.drawn(width, height) { x, y in .gray(UInt8((x + y) * 255 / (width + height - 2))) }
        let pixel = try ramp.scaled(to: PixelSize(width: 1, height: 1))[0, 0]
        #expect(pixel.isClose(to: .gray(127), within: 2) && pixel.alpha == 255)
    }

    @Test func `one pixel becomes any size, and any size one pixel`() throws {
        let dot = try Bitmap.drawn(1, 1, hasAlpha: true) { _, _ in Pixel(10, 20, 30, 40) }
        for filter in [ResizeFilter.automatic, .box, .bilinear, .lanczos3] {
            let grown = try dot.scaled(to: PixelSize(width: 17, height: 5), filter: filter)
            #expect(grown.distinctPixels == [Pixel(10, 20, 30, 40)])
            #expect(try grown.scaled(to: PixelSize(width: 1, height: 1), filter: filter)[0, 0] == Pixel(10, 20, 30, 40))
        }
    }

    @Test func `an edge overshoots, but no color exceeds its alpha and nothing wraps around`() throws {
        let edge = try Bitmap.drawn(64, 64, hasAlpha: true) { x, y in
            x < 31 ? Pixel(100, 0, 100, 100) : y < 33 ? .white : .clear
        }
        for side in [20, 41, 150] {
            let scaled = try edge.scaled(to: PixelSize(width: side, height: side), filter: .lanczos3)
            #expect(scaled.distinctPixels.allSatisfy { max($0.blue, $0.green, $0.red) <= $0.alpha })
            #expect(scaled[0, side / 2].isClose(to: Pixel(100, 0, 100, 100), within: 2))
            #expect(scaled[side - 1, 0].isClose(to: .white, within: 2))
            #expect(scaled[side - 1, side - 1].isClose(to: .clear, within: 2))
        }
    }

    @Test func `a last sample beyond the edge does not move what is in front of it`() throws {
        // White up to 70 of the 80.1 pixels that 81 samples stand for.
        let step = try Bitmap.drawn(81, 4) { x, _ in x < 70 ? .white : .black }
        let extent = ImageExtent(step.size, width: 80.1, height: 4)
        let small = try step.scaled(from: extent, to: PixelSize(width: 40, height: 2), filter: .automatic)
        let white = small.pixels[0].reduce(0) { $0 + Double($1.green) } / 255
        #expect(abs(white - 40 * 70 / 80.1) < 0.02)
    }
}

extension AxisWeights {
    /// The address of the weights: equal for copies, and different for weights that were computed apart.
    fileprivate var storage: UnsafePointer<Int16>? { weights.withUnsafeBufferPointer(\.baseAddress) }
}
