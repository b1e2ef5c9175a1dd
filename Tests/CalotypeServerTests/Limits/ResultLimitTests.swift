import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeURLs
import Requirements
import Testing

@testable import CalotypeServer

/// The limits on the size of results, which make a larger result smaller as a whole.
@Suite(.requirement("V20")) struct ResultLimitTests {
    private func result(
        _ options: ByteString, of image: PixelSize, side: Int = 4096, pixels: Int = 16_000_000
    ) throws -> PixelSize {
        let request = try RenditionRequest(path: "/\(options)/plain/a")
        return RenditionLayout(request.options, longestSide: side, maxPixels: pixels).geometry(of: image).result
    }

    @Test(
        arguments: [
            ("w:8192/h:8192/el:1", 64, 64, "4000x4000"), ("w:0", 6000, 4000, "4096x2731"),
            ("w:0", 5000, 5000, "4000x4000"),
            ("w:0", 4000, 4000, "4000x4000"), ("w:0", 4096, 3906, "4096x3906"), ("w:0", 12_000, 100, "4096x34"),
            ("w:300", 6000, 4000, "300x200"), ("w:4000/h:4000/rt:fit", 5000, 5000, "4000x4000"),
        ] as [(ByteString, Int, Int, String)])
    func `a larger result becomes smaller as a whole`(
        options: ByteString, width: Int, height: Int, expected: String
    ) throws {
        let size = try result(options, of: PixelSize(width: width, height: height))
        #expect("\(size.width)x\(size.height)" == expected)
    }

    @Test func `no rendition exceeds the limits`() throws {
        let images = [(1, 1), (1, 50_000), (50_000, 1), (4000, 3000), (3001, 2999), (6007, 5003)]
        for options: ByteString in [
            "w:0", "rs:fill:1:8192", "rs:force:8192:8191/el:1", "pd:1000", "pd:3:5:7:11/w:4096/el:1", "z:100/el:1",
            "s:8192:8192:1:1", "mw:8192", "rot:90/w:8000/el:1",
        ] {
            for (width, height) in images {
                for (side, pixels) in [(4096, 16_000_000), (8192, 1_000_000), (100, .max), (.max, 12_345)] {
                    let size = try result(
                        options, of: PixelSize(width: width, height: height), side: side, pixels: pixels)
                    #expect(size.width >= 1 && size.height >= 1)
                    #expect(max(size.width, size.height) <= side, "\(options), \(width) × \(height), \(side)")
                    #expect(size.width * size.height <= pixels, "\(options), \(width) × \(height), \(pixels)")
                }
            }
        }
    }

    @Test func `a server makes no larger result than its options allow`() async throws {
        let server = try TestServer { ($0.maxResultSide, $0.maxResultPixels) = (300, 20_000) }
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        let size = try #require(try await server.get("/_/w:400/plain/local:///a.jpg@png").size)
        #expect(size.width <= 300 && size.width * size.height <= 20_000 && size.width > 150)
    }

    @Test func `another limit gives the result another entity tag`() async throws {
        var tags: Set<ByteString?> = []
        for pixels in [20_000, 30_000] {
            let server = try TestServer { $0.maxResultPixels = pixels }
            try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
            tags.insert(try await server.get("/_/w:400/plain/local:///a.jpg@png").fields["ETag"])
        }
        #expect(tags.count == 2)
    }
}
