import CSpng
import CTurboJPEG
import CalotypeCodecs
import Foundation
import Testing

/// The contrast of a fine pattern that a thumbnail keeps, and the remains of one that is too fine for it.
@Suite struct SharpnessTests {
    /// Draws vertical waves of gray with a frequency in cycles per pixel.
    private static func waves(_ frequency: Double) throws -> Bitmap {
        try Bitmap.drawn(1280, 64) { x, _ in
            .gray(UInt8((127.5 + 100 * sin(2 * .pi * frequency * (Double(x) + 0.5))).rounded()))
        }
    }

    enum Format: CaseIterable {
        case jpeg, png, interlacedPNG, webp, lossyWebP, gif

        func file(_ bitmap: Bitmap) throws -> Data {
            switch self {
            case .jpeg: try JPEGFiles.make(bitmap, quality: 98)
            case .png: try bitmap.encoded(as: .png)
            case .interlacedPNG:
                try PNGFile(
                    width: bitmap.width, height: bitmap.height, colorType: SPNG_COLOR_TYPE_GRAYSCALE, isInterlaced: true
                ).encoded(bitmap.pixels.joined().map(\.green))
            case .webp: try bitmap.encoded(as: .webpLossless)
            case .lossyWebP: try bitmap.encoded(as: .webp(quality: 100))
            case .gif:
                try GIFFile(
                    width: bitmap.width, height: bitmap.height,
                    palette: (0...255).map { (UInt8($0), UInt8($0), UInt8($0)) },
                    frames: [
                        .init(width: bitmap.width, height: bitmap.height, indices: bitmap.pixels.joined().map(\.green))
                    ]
                ).encoded()
            }
        }
    }

    /// Returns the remaining part of the waves' amplitude, by correlation with waves of any phase.
    private func contrast(_ bitmap: Bitmap, cyclesPerPixel: Double) -> Double {
        let row = bitmap.pixels[bitmap.height / 2].map { Double($0.green) }
        // Whole waves, away from the edges.
        let part = (bitmap.width / 10)..<(bitmap.width * 9 / 10)
        let mean = part.reduce(0) { $0 + row[$1] } / Double(part.count)
        var (sine, cosine) = (0.0, 0.0)
        for x in part {
            let angle = 2 * .pi * cyclesPerPixel * (Double(x) + 0.5)
            sine += (row[x] - mean) * sin(angle)
            cosine += (row[x] - mean) * cos(angle)
        }
        return 2 * (sine * sine + cosine * cosine).squareRoot() / Double(part.count) / 100
    }

    @Test(arguments: Format.allCases)
    func `a thumbnail of any format keeps lines that it has room for`(format: Format) throws {
        let width = 200
        for cycles in [0.25, 0.35, 0.42] {
            let file = try format.file(Self.waves(cycles * Double(width) / 1280))
            let seen = contrast(try file.decoded(ResizeTarget(width: width)), cyclesPerPixel: cycles)
            #expect(seen > (cycles < 0.4 ? 0.9 : 0.73) && seen < 1.1, "\(cycles): \(seen)")
        }
    }

    @Test(arguments: Format.allCases)
    func `a thumbnail of any format leaves nothing of lines that are too fine for it`(format: Format) throws {
        let width = 200
        for cycles in [0.8, 1.0, 1.2] {
            let file = try format.file(Self.waves(cycles * Double(width) / 1280))
            let row = try file.decoded(ResizeTarget(width: width)).pixels[4].map { Double($0.green) }[20..<180]
            let mean = row.reduce(0, +) / Double(row.count)
            let deviation = (row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)).squareRoot()
            #expect(deviation * 2.squareRoot() / 100 < 0.04, "\(cycles): \(deviation)")
        }
    }

    /// Returns the results of one decode for these widths.
    private func variants(of file: Data, widths: [Int], largest: ResizeFilter = .automatic) throws -> [Bitmap] {
        let targets = widths.map { ResizeTarget(width: $0, filter: $0 == widths[0] ? largest : .automatic) }
        let layouts = VariantLayouts(targets, limits: DecodeLimits())
        let plan = try DecoderRegistry.standard.plan(for: file, target: layouts)
        let source = try plan.decode()
        return try layouts.results(by: plan).map { try $0.result(of: source) }
    }

    @Test(arguments: Format.allCases, [[400, 200], [320, 200], [210, 200, 100], [1280, 200]])
    func `the smaller of several sizes from one decode is as sharp as one by itself`(
        format: Format, widths: [Int]
    ) throws {
        for cycles in [0.25, 0.35, 0.42] {
            let file = try format.file(Self.waves(cycles * 200 / 1280))
            let seen = contrast(try variants(of: file, widths: widths)[1], cyclesPerPixel: cycles)
            #expect(seen > (cycles < 0.4 ? 0.9 : 0.73) && seen < 1.1, "\(cycles): \(seen)")
        }
        for cycles in [0.8, 1.0, 1.2] {
            let file = try format.file(Self.waves(cycles * 200 / 1280))
            let row = try variants(of: file, widths: widths)[1].pixels[4].map { Double($0.green) }[20..<180]
            let mean = row.reduce(0, +) / Double(row.count)
            let deviation = (row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)).squareRoot()
            #expect(deviation * 2.squareRoot() / 100 < 0.04, "\(cycles): \(deviation)")
        }
    }

    @Test(arguments: [ResizeFilter.box, .bilinear, .catmullRom])
    func `a softer filter for the largest size leaves the others sharp`(filter: ResizeFilter) throws {
        let file = try Format.png.file(Self.waves(0.35 * 200 / 1280))
        let seen = contrast(try variants(of: file, widths: [400, 200], largest: filter)[1], cyclesPerPixel: 0.35)
        #expect(seen > 0.9 && seen < 1.1)
    }

    @Test(arguments: Format.allCases)
    func `the largest of sizes that halve has the same pixels as by itself`(format: Format) throws {
        let file = try format.file(Self.waves(0.1))
        let largest = try variants(of: file, widths: [400, 200, 100])[0]
        #expect(try largest.pixels == file.decoded(ResizeTarget(width: 400)).pixels)
    }

    @Test func `a box filter decodes JPEG next to the result, and is softer`() throws {
        let file = try JPEGFiles.make(Self.waves(0.35 * 200 / 1280))
        let sharp = try file.decoded(ResizeTarget(width: 200))
        let soft = try file.decoded(ResizeTarget(width: 200, filter: .box))
        #expect(contrast(soft, cyclesPerPixel: 0.35) < contrast(sharp, cyclesPerPixel: 0.35) - 0.05)
        func cost(_ filter: ResizeFilter) throws -> Int {
            try DecoderRegistry.standard.plan(for: file, target: ResizeTarget(width: 150, filter: filter)).cost
        }
        #expect(try cost(.box) < cost(.automatic))
    }

    @Test(arguments: [801, 806, 1601, 2403])
    func `a JPEG's thumbnail lies on the grid of the stored size, not on the codec's rounded one`(width: Int) throws {
        let edge = width * 7 / 8
        let step = try Bitmap.drawn(width, 32) { x, _ in x < edge ? .white : .black }
        let small = try JPEGFiles.make(step).decoded(ResizeTarget(width: 40, height: 20, mode: .exact))
        let white = small.pixels[10].reduce(0) { $0 + Double($1.green) } / 255
        #expect(abs(white - 40 * Double(edge) / Double(width)) < 0.08)
    }

    @Test func `a step's filter and a target's do the same`() throws {
        let picture = try Pictures.noise(100, 80)
        for filter in [ResizeFilter.box, .bilinear, .catmullRom, .lanczos3] {
            let expected = try picture.scaled(to: PixelSize(width: 50, height: 40), filter: filter).pixels
            #expect(try picture.applying(.resize(width: 50, filter: filter)).pixels == expected)
            #expect(try picture.applying(ImageSteps.Resize(shortSide: 40, filter: filter)).pixels == expected)
            #expect(
                try picture.encoded(as: .png).decoded(ResizeTarget(width: 50, filter: filter)).pixels == expected)
        }
    }
}
