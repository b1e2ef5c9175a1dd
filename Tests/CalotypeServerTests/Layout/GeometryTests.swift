import CalotypeBase
import CalotypeCodecs
@testable import CalotypeURLs
import Requirements
import Testing

@testable import CalotypeServer

/// The result sizes that imgproxy's tests publish.
@Suite(.requirement("V45")) struct GeometryTests {
    /// The size of imgproxy's test image.
    private static let image = PixelSize(width: 200, height: 100)

    private func result(_ options: ByteString, of image: PixelSize = image, limit: Int = .max) throws -> PixelSize {
        let request = try RenditionRequest(path: "/\(options)/plain/a")
        return RenditionLayout(request.options, longestSide: limit).geometry(of: image).result
    }

    /// Options of all rows, and rows of width, height and result.
    struct Table: Sendable, CustomTestStringConvertible {
        let options: ByteString
        let rows: [(ByteString, ByteString)]

        init(_ options: ByteString, _ rows: KeyValuePairs<ByteString, ByteString>) {
            (self.options, self.rows) = (options, rows.map { ($0.key, $0.value) })
        }

        var testDescription: String { options.string }
    }

    private static let tables = [
        Table(
            "rt:fit",
            [
                "50:50": "50x25", "50:20": "40x20", "20:50": "20x10", "300:300": "200x100", "300:50": "100x50",
                "100:300": "100x50", "0:50": "100x50", "50:0": "50x25", "0:200": "200x100", "300:0": "200x100",
            ]),
        Table(
            "rt:fit/el:1",
            [
                "50:50": "50x25", "50:20": "40x20", "20:50": "20x10", "300:300": "300x150", "300:125": "250x125",
                "250:300": "250x125", "0:50": "100x50", "50:0": "50x25", "0:200": "400x200", "300:0": "300x150",
            ]),
        Table(
            "rt:fit/ex:1",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "300x300", "300:125": "300x125",
                "250:300": "250x300", "0:50": "100x50", "50:0": "50x25", "0:200": "200x200", "300:0": "300x100",
            ]),
        Table(
            "rt:fit/exar:1",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "200x200", "300:125": "240x100",
                "250:500": "200x400", "0:50": "100x50", "50:0": "50x25", "0:200": "200x100", "300:0": "200x100",
            ]),
        Table(
            "rt:fill",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "200x100", "300:50": "200x50",
                "100:300": "100x100", "0:50": "100x50", "50:0": "50x25", "0:200": "200x100", "300:0": "200x100",
            ]),
        Table(
            "rt:fill/el:1",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "300x300", "300:125": "300x125",
                "250:300": "250x300", "0:50": "100x50", "50:0": "50x25", "0:200": "400x200", "300:0": "300x150",
            ]),
        Table(
            "rt:fill/ex:1",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "300x300", "300:125": "300x125",
                "250:300": "250x300", "300:50": "300x50", "100:300": "100x300", "0:50": "100x50", "50:0": "50x25",
                "0:200": "200x200", "300:0": "300x100",
            ]),
        Table(
            "rt:fill/exar:1",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "200x200", "300:125": "240x100",
                "250:500": "200x400", "300:50": "300x50", "100:300": "100x300", "0:50": "100x50", "50:0": "50x25",
                "0:200": "200x100", "300:0": "200x100",
            ]),
        Table(
            "rt:fill-down",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "100x100", "300:125": "200x83",
                "250:300": "83x100", "0:50": "100x50", "50:0": "50x25", "0:200": "200x100", "300:0": "200x100",
            ]),
        Table(
            "rt:fill-down/el:1",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "300x300", "300:125": "300x125",
                "250:300": "250x300", "0:50": "100x50", "50:0": "50x25", "0:200": "400x200", "300:0": "300x150",
            ]),
        Table(
            "rt:fill-down/ex:1",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "300x300", "300:125": "300x125",
                "250:300": "250x300", "300:50": "300x50", "100:300": "100x300", "0:50": "100x50", "50:0": "50x25",
                "0:200": "200x200", "300:0": "300x100",
            ]),
        Table(
            "rt:fill-down/exar:1",
            [
                "50:50": "50x50", "50:20": "50x20", "20:50": "20x50", "300:300": "100x100", "300:125": "200x83",
                "250:300": "83x100", "0:50": "100x50", "50:0": "50x25", "0:200": "200x100", "300:0": "200x100",
            ]),
        Table(
            "rt:force",
            [
                "50:50": "50x50", "20:50": "20x50", "0:50": "200x50", "50:0": "50x100", "300:50": "200x33",
                "300:300": "100x100", "0:200": "100x100",
            ]),
        Table("rt:force/el:1", ["50:50": "50x50", "300:50": "300x50", "0:200": "200x200", "300:0": "300x100"]),
        // As `fill` for a wide target, and as `fit` for a high one.
        Table("rt:auto", ["50:20": "50x20", "60:60": "60x60", "20:50": "20x10", "300:0": "200x100"]),
    ]

    @Test(arguments: tables) func `sizes follow from the resizing type`(table: Table) throws {
        for (size, expected) in table.rows {
            let result = try result("\(table.options)/s:\(size)")
            #expect("\(result.width)x\(result.height)" == expected.string, "\(table.options)/s:\(size)")
        }
    }

    @Test(
        arguments: [
            (1000, "rs:fit:100:100", "100x50"), (50, "rs:fit:100:100", "50x25"), (50, "rs:fit:0:0", "50x25"),
            (100, "rs:fit:0:100", "100x50"), (50, "rs:fit:150:0", "50x25"), (100, "rs:fit:1000:1000", "100x50"),
            (100, "rs:fit:1000:1000:1", "100x50"), (100, "rs:fit:1000:2000/ex:1", "50x100"),
            (100, "rs:fit:1000:2000/exar:1", "50x100"), (100, "rs:fit:100:150/rot:90", "50x100"),
            (100, "rs:fit:0:0/rot:90", "50x100"), (200, "rs:fit:100:100/pd:100:200:300:400", "200x129"),
            (1000, "rs:fill:100:100", "100x100"), (50, "rs:fill:100:100", "50x50"), (50, "rs:fill:1000:50", "50x13"),
            (50, "rs:fill:100:1000", "50x50"), (50, "rs:fill:0:0", "50x25"), (100, "rs:fill:0:100", "100x50"),
            (50, "rs:fill:150:0", "50x25"), (100, "rs:fill:1000:1000", "100x50"),
            (100, "rs:fill:1000:1000:1", "100x100"),
            (100, "rs:fill:1000:2000/ex:1", "50x100"), (100, "rs:fill:1000:2000/exar:1", "50x100"),
            (100, "rs:fill:100:150/rot:90", "67x100"), (100, "rs:fill:0:0/rot:90", "50x100"),
            (200, "rs:fill:100:100/pd:100:200:300:400", "200x144"), (1000, "rs:fill-down:100:100", "100x100"),
            (50, "rs:fill-down:100:100", "50x50"), (50, "rs:fill-down:1000:50", "50x3"),
            (50, "rs:fill-down:100:1000", "5x50"), (50, "rs:fill-down:0:0", "50x25"),
            (100, "rs:fill-down:0:100", "100x50"),
            (50, "rs:fill-down:150:0", "50x25"), (100, "rs:fill-down:1000:1000", "100x100"),
            (100, "rs:fill-down:1000:1000:1", "100x100"), (100, "rs:fill-down:1000:2000/ex:1", "50x100"),
            (100, "rs:fill-down:1000:2000/exar:1", "50x100"), (100, "rs:fill-down:1000:1500/rot:90", "67x100"),
            (100, "rs:fill-down:0:0/rot:90", "50x100"), (200, "rs:fill-down:100:100/pd:100:200:300:400", "200x144"),
            (200, "rs:fill-down:1000:1000/pd:100:200:300:400", "200x144"),
        ] as [(Int, ByteString, String)])
    func `a result beyond the limit is made smaller as a whole`(limit: Int, options: ByteString, expected: String)
        throws
    {
        let result = try result(options, limit: limit)
        #expect("\(result.width)x\(result.height)" == expected)
    }

    @Test(
        arguments: [
            // imgproxy's geometry.png.
            ("rs:fill:100:26", "100x26"), ("rs:fill:26:100", "26x100"), ("rs:fill:100:26/dpr:2", "200x52"),
            ("rs:fill:100:26/g:no:0:5/dpr:0.5", "50x13"), ("rs:fill:26:100/g:no:5:0/dpr:0.5", "13x50"),
            ("rs:fill:26:100/g:no:5:0/dpr:2", "26x100"), ("c:50:50:no:10:10", "50x50"), ("c:50:50/dpr:0.5", "25x25"),
            ("rs:fit:500:500/ex:1:no:0:5", "500x500"), ("rs:fit:500:500/ex:1/dpr:0.5", "250x250"),
            ("rs:fit:500:500/ex:1/dpr:2", "500x500"), ("rs:fit:300:600/exar:1", "200x400"),
            ("rs:fit:300:600/exar:1/dpr:0.5", "150x300"), ("rs:fit:300:600/exar:1/dpr:2", "200x400"),
            ("rs:fill:100:26/g:so", "100x26"), ("rs:fill:26:100/g:ea", "26x100"), ("rs:fill:26:100/g:nowe", "26x100"),
            ("rs:fill:100:26/g:no:0:5/dpr:2", "200x52"), ("rs:fill:100:26/g:no:0:0.1", "100x26"),
            ("rs:fill:100:26/g:no:0:0.1/dpr:0.5", "50x13"), ("rs:fill:100:26/g:no:0:0.1/dpr:2", "200x52"),
            ("c:50:50:ce:0.1:0.1", "50x50"), ("c:50:50:ce:10:10/dpr:0.5", "25x25"), ("c:50:50:soea", "50x50"),
            ("rs:fit:500:500/ex:1:no:0:5/dpr:0.5", "250x250"), ("rs:fit:500:500/ex:1:ea:5:0/dpr:2", "500x500"),
            ("rs:fit:500:500/ex:1:no:0:0.1/dpr:0.5", "250x250"), ("rs:fit:300:600/exar:1:ea:5:0", "200x400"),
            ("rs:fit:300:600/exar:1:no:0:0.1/dpr:0.5", "150x300"),
            ("pd:20:30:40:10/bg:ff0000/el:1/dpr:0.5", "120x80"), ("pd:20:30:40:10/bg:ff0000/el:1", "240x160"),
            ("pd:20:30:40:10/bg:ff0000/el:1/dpr:2", "480x320"),
        ] as [(ByteString, String)])
    func `sizes follow from dpr, crop and offsets`(options: ByteString, expected: String) throws {
        let result = try result(options)
        #expect("\(result.width)x\(result.height)" == expected)
    }

    @Test(
        arguments: [
            ("c:0.5:0.5/w:50", "50x25"), ("c:0:50", "200x50"), ("c:1000:50", "200x50"), ("c:0.001:0", "1x100"),
            ("w:1/h:1", "1x1"), ("rs:fit:1:0", "1x1"), ("mw:100/w:50", "50x50"), ("mh:80/rs:fit:50:50", "50x50"),
            ("z:0.5", "100x50"), ("z:0.5:1", "100x100"), ("z:2", "200x100"), ("z:2/el:1", "400x200"),
            ("dpr:2/w:50", "100x50"), ("dpr:2/w:150", "200x100"), ("pd:10", "220x120"), ("pd:10/dpr:2/w:50", "140x90"),
            ("pd:10:20", "240x120"), ("rot:90/w:50", "50x100"), ("fl:1:1/w:50", "50x25"),
        ] as [(ByteString, String)])
    func `sizes follow from the other options`(options: ByteString, expected: String) throws {
        let result = try result(options)
        #expect("\(result.width)x\(result.height)" == expected)
    }

    @Test(
        arguments: [
            (1080, 902, "wm:1:no:50:50/dpr:0.5", "540x451"), (1080, 902, "wm:1:no:50:50/dpr:2", "1080x902"),
            (1080, 902, "wm:1:re:50:50/dpr:0.5", "540x451"), (1080, 902, "wm:1:re:50:50/dpr:2", "1080x902"),
            // An animation.
            (492, 229, "wm:0.5:nowe:10:20/dpr:0.5", "246x115"), (492, 229, "wm:0.5:nowe:10:20/dpr:2", "492x229"),
        ] as [(Int, Int, ByteString, String)])
    func `a watermark does not change the size`(width: Int, height: Int, options: ByteString, expected: String) throws {
        let result = try result(options, of: PixelSize(width: width, height: height))
        #expect("\(result.width)x\(result.height)" == expected)
    }

    @Test func `every size has at least a pixel, and no limit is exceeded`() throws {
        for options: ByteString in [
            "rs:fill:1:8192", "rs:force:8192:1/el:1", "rs:fit:1:1/pd:3", "z:0.01", "dpr:0.01", "z:100/el:1",
        ] {
            for (width, height) in [(1, 1), (1, 50_000), (50_000, 1), (4000, 3000)] {
                let size = try result(options, of: PixelSize(width: width, height: height), limit: 8192)
                #expect(size.width >= 1 && size.height >= 1, "\(options), \(width) × \(height)")
                #expect(max(size.width, size.height) <= 8192, "\(options), \(width) × \(height)")
            }
        }
    }
}
