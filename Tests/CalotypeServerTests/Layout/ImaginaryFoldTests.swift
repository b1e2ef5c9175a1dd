import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// Pixels of pipelines: of one rendition for all operations, and of a rendition for each of them, one after the other.
struct ImaginaryFoldTests {
    /// An image without symmetry, whose right half is half transparent if `hasAlpha` is `true`.
    private static func sample(hasAlpha: Bool) throws -> Bitmap {
        try Bitmap(width: 160, height: 120, hasAlpha: hasAlpha) { pixels, stride in
            for y in 0..<120 {
                for x in 0..<160 {
                    let alpha = hasAlpha && x >= 80 ? 128 : 255
                    let colors = [x, 2 * y, (x / 8 + y / 8) % 2 * 200].map { UInt8($0 * alpha / 255) }
                    let pixel = colors + [UInt8(alpha)]
                    pixels.baseAddress?.advanced(by: y * stride + 4 * x).copyMemory(from: pixel, byteCount: 4)
                }
            }
        }
    }

    private func options(_ target: ByteString) throws -> RenditionOptions {
        let parsed = try ImaginaryGrammar().request(ImaginaryTarget(target), method: "POST")
        guard case .rendition(let options) = parsed.task else { throw RenditionError.malformed("no rendition") }
        return options
    }

    private func made(_ options: RenditionOptions, of bitmap: Bitmap) throws -> Bitmap {
        let layout = RenditionLayout(options, longestSide: 8192)
        return try DecoderRegistry.standard.plan(for: try bitmap.encoded(as: .png), target: layout).decode()
    }

    private func made(oneByOne operations: [String], of bitmap: Bitmap) throws -> Bitmap {
        try operations.reduce(bitmap) { try made(try options("/\(ByteString($1))"), of: $0) }
    }

    private func made(atOnce operations: [String], of bitmap: Bitmap) throws -> Bitmap {
        let list = operations.map { operation in
            let parts = operation.split(separator: "?")
            let members = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { pair in
                let words = pair.split(separator: "=")
                return "\"\(words[0])\":\"\(words[1])\""
            }
            return "{\"operation\":\"\(parts[0])\",\"params\":{\(members.joined(separator: ","))}}"
        }
        let json = ByteString("[\(list.joined(separator: ","))]").percentEncoded { $0.isUnreserved }
        return try made(try options("/pipeline?operations=\(json)"), of: bitmap)
    }

    /// Returns the largest difference of a channel, or `nil` if the sizes differ.
    private func difference(_ left: Bitmap, _ right: Bitmap) -> Int? {
        guard left.size == right.size else { return nil }
        return left.withUnsafeBytes { first in
            right.withUnsafeBytes { second in
                (0..<left.height).flatMap { y in
                    (0..<4 * left.width).map { x in
                        abs(Int(first[y * left.stride + x]) - Int(second[y * right.stride + x]))
                    }
                }.max()
            }
        }
    }

    /// Pipelines in which an operation before another one is moved behind it, or past a turn.
    @Test(
        arguments: [
            ["rotate?rotate=90", "flip"], ["flip", "rotate?rotate=90"], ["flop", "rotate?rotate=270", "flip"],
            ["extract?left=7&top=11&areawidth=40&areaheight=30", "rotate?rotate=90"],
            ["extract?left=7&top=11&areawidth=40&areaheight=30", "rotate?rotate=180", "flip"],
            ["extract?left=7&top=11&areawidth=40&areaheight=30", "flop", "rotate?rotate=270"],
            // Beyond the edge, the area is moved back into the image.
            ["extract?left=140&top=110&areawidth=40&areaheight=30", "rotate?rotate=90", "flop"],
            ["crop?width=40&gravity=west", "rotate?rotate=90"],
            ["crop?height=40&gravity=south", "flip", "rotate?rotate=90"],
            ["rotate?rotate=90", "crop?width=40&gravity=west"], ["flip", "crop?width=40&gravity=west"],
            ["flop", "extract?left=7&top=11&areawidth=40&areaheight=30"], ["crop?width=40", "rotate?rotate=90"],
        ])
    func `turns and areas of a pipeline give the same pixels at once and one by one`(operations: [String]) throws {
        for hasAlpha in [false, true] {
            let image = try Self.sample(hasAlpha: hasAlpha)
            let once = try made(atOnce: operations, of: image)
            #expect(difference(once, try made(oneByOne: operations, of: image)) == 0)
        }
    }

    @Test(
        arguments: [
            ["fit?width=40&height=40", "rotate?rotate=90"], ["rotate?rotate=90", "fit?width=40&height=30"],
            ["fit?width=40&height=20", "flip", "rotate?rotate=270"], ["resize?width=77", "rotate?rotate=90"],
            ["resize?width=50&height=90&force=true", "rotate?rotate=90", "flop"],
            ["crop?width=80&height=40", "rotate?rotate=90"],
            ["crop?width=80&height=40&gravity=north", "rotate?rotate=90"],
            ["crop?width=40&height=60&gravity=west", "flip"],
            ["crop?width=40&height=60&gravity=east", "rotate?rotate=180"],
            ["smartcrop?width=40&height=60", "rotate?rotate=90"], ["enlarge?width=200&height=300", "flop"],
            ["rotate?rotate=90", "zoom?factor=1", "flip"],
            ["fit?width=80&height=80", "blur?sigma=3"], ["fit?width=80&height=80&sigma=3", "rotate?rotate=90"],
            ["blur?sigma=3", "flip"], ["convert?type=png&colorspace=bw", "fit?width=80&height=80"],
            ["convert?type=png&colorspace=bw", "blur?sigma=3"], ["blur?sigma=3", "convert?type=png&colorspace=bw"],
            ["convert?type=png&background=255,128,0", "fit?width=80&height=80"],
            ["convert?type=png&background=255,128,0", "rotate?rotate=90", "blur?sigma=3"],
            ["fit?width=80&height=80", "flip?background=1,2,3", "flip?background=200,2,3"],
            ["convert?type=png&colorspace=bw", "flip?background=255,0,0"],
            ["resize?width=80&height=80&extend=white", "rotate?rotate=90"],
            ["resize?width=80&height=100&extend=black", "flip", "convert?type=png&colorspace=bw"],
        ])
    func `other operations of a pipeline differ from those one by one by rounding alone`(operations: [String]) throws {
        for hasAlpha in [false, true] {
            let image = try Self.sample(hasAlpha: hasAlpha)
            let once = try made(atOnce: operations, of: image), stepwise = try made(oneByOne: operations, of: image)
            let difference = difference(once, stepwise)
            #expect(difference ?? 255 <= 4, "\(once.size), \(stepwise.size), \(hasAlpha): \(difference ?? -1)")
        }
    }

    /// The image is scaled as a whole, so that the edges of an area take in what is beside it.
    @Test(
        arguments: [
            ["extract?left=8&top=16&areawidth=64&areaheight=48", "resize?width=32", "rotate?rotate=90"],
            ["extract?left=8&top=16&areawidth=64&areaheight=48", "rotate?rotate=90", "fit?width=24&height=32", "flop"],
            ["crop?width=80", "fit?width=40&height=60"],
            ["flip", "crop?width=80&gravity=west", "fit?width=40&height=60"],
            ["extract?left=8&top=16&areawidth=64&areaheight=48", "zoom?factor=1"],
        ])
    func `an area of a pipeline is resized like one that was cut out before, but for its edges`(
        operations: [String]
    ) throws {
        for hasAlpha in [false, true] {
            let image = try Self.sample(hasAlpha: hasAlpha)
            let results = [try made(atOnce: operations, of: image), try made(oneByOne: operations, of: image)]
            #expect(results[0].size == results[1].size)
            let inner = try results.map { result in
                try result.cropped(to: PixelRect(x: 4, y: 4, width: result.width - 8, height: result.height - 8))
            }
            #expect(difference(inner[0], inner[1]) ?? 255 <= 4, "\(results[0].size), \(hasAlpha)")
        }
    }

    /// The renditions of the two orders that a single one could be taken for.
    @Test(
        arguments: [
            (["rotate?rotate=90", "fit?width=40&height=30"], ["fit?width=40&height=30", "rotate?rotate=90"]),
            (["flip", "crop?width=40&gravity=west"], ["crop?width=40&gravity=west", "flip"]),
            (["flip", "rotate?rotate=90"], ["rotate?rotate=90", "flip"]),
            (["flip?colorspace=bw", "flip?background=255,0,0"], ["flip?background=255,0,0", "flip?background=9,9,9"]),
            (
                ["rotate?rotate=90", "extract?areawidth=40&areaheight=30"],
                ["extract?areawidth=40&areaheight=30", "rotate?rotate=90"]
            ),
        ])
    func `the order of operations matters where it changes the image`(first: [String], second: [String]) throws {
        let image = try Self.sample(hasAlpha: true)
        let difference = difference(try made(atOnce: first, of: image), try made(atOnce: second, of: image))
        #expect(difference ?? 255 > 20)
    }
}
