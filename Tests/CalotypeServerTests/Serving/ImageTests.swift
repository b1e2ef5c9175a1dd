import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// What happens to orientation, metadata, colors and transparency of sources.
@Suite(.requirement("V39")) struct ImageTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    private static let red: [UInt8] = [255, 0, 0], green: [UInt8] = [0, 255, 0]
    private static let blue: [UInt8] = [0, 0, 255], white: [UInt8] = [255, 255, 255]

    /// An image with a color in each corner, clockwise from the top left.
    private func corners() throws -> Bitmap {
        try drawn(64, 48) { x, y in
            switch (x < 32, y < 24) {
            case (true, true): Self.red
            case (false, true): Self.green
            case (false, false): Self.blue
            case (true, false): Self.white
            }
        }
    }

    private func drawn(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) throws -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: false) { pixels, stride in
            for y in 0..<height {
                for x in 0..<width {
                    let color = color(x, y)
                    for (place, value) in [color[2], color[1], color[0], 255].enumerated() {
                        pixels[y * stride + x * 4 + place] = value
                    }
                }
            }
        }
    }

    /// Returns red, green and blue.
    private func color(_ answer: TestServer.Answer, _ x: Int, _ y: Int) throws -> [UInt8] {
        let bitmap = try DecoderRegistry.standard.decode(answer.body)
        return bitmap.withUnsafeBytes { pixels in
            [2, 1, 0].map { pixels[(y * bitmap.width + x) * 4 + $0] }
        }
    }

    private func isClose(_ first: [UInt8], _ second: [UInt8], within distance: Int = 12) -> Bool {
        zip(first, second).allSatisfy { abs(Int($0) - Int($1)) <= distance }
    }

    // MARK: Orientation

    @Test(
        arguments: [
            (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [2, 3, 0, 1]), (4, [3, 2, 1, 0]), (5, [0, 3, 2, 1]),
            (6, [3, 0, 1, 2]), (7, [2, 1, 0, 3]), (8, [1, 2, 3, 0]),
        ])
    func `the orientation in EXIF is applied once`(orientation: Int, order: [Int]) async throws {
        let jpeg = try corners().encoded(as: .jpeg(quality: 95)).addingEXIF(orientation: orientation)
        try server.write(jpeg, "a.jpg")
        let answer = try await server.get("/_/plain/local:///a.jpg@png")
        let isTurned = orientation > 4
        #expect(answer.size == PixelSize(width: isTurned ? 48 : 64, height: isTurned ? 64 : 48))
        let (right, bottom) = isTurned ? (43, 59) : (59, 43)
        let colors = [Self.red, Self.green, Self.blue, Self.white]
        for (place, corner) in zip([(4, 4), (right, 4), (right, bottom), (4, bottom)], order) {
            #expect(isClose(try color(answer, place.0, place.1), colors[corner]))
        }
        let half = try await server.get("/_/w:\(isTurned ? 24 : 32)/plain/local:///a.jpg@png")
        #expect(half.size == PixelSize(width: isTurned ? 24 : 32, height: isTurned ? 32 : 24))
    }

    @Test func `without auto_rotate the image stays as it is stored`() async throws {
        try server.write(try corners().encoded(as: .jpeg(quality: 95)).addingEXIF(orientation: 6), "a.jpg")
        let answer = try await server.get("/_/ar:0/plain/local:///a.jpg@png")
        #expect(answer.size == PixelSize(width: 64, height: 48))
        #expect(isClose(try color(answer, 4, 4), Self.red))
    }

    // MARK: Metadata

    @Test(arguments: ["jpg", "png", "webp", "avif"])
    func `no format of a result has the place of the photograph`(format: String) async throws {
        let jpeg = SamplePhotos.jpeg(width: 64, height: 48).addingEXIF(orientation: 1, place: "CALOTYPE-DATUM")
        #expect(jpeg.range(of: Data("CALOTYPE-DATUM".utf8)) != nil)
        try server.write(jpeg, "a.jpg")
        let answer = try await server.get("/_/w:32/plain/local:///a.jpg@\(format)")
        #expect(answer.status == 200)
        #expect(answer.body.range(of: Data("CALOTYPE-DATUM".utf8)) == nil)
    }

    // MARK: Colors

    @Test func `numbers of another profile are converted to sRGB`() async throws {
        let gray = try drawn(16, 16) { _, _ in [128, 128, 128] }
            .encoded(as: .jpeg(quality: 95, isProgressive: false, hasProfile: true))
        try server.write(gray, "plain.jpg")
        try server.write(gray.replacingProfileByLinear(), "linear.jpg")
        let plain = try await server.get("/_/plain/local:///plain.jpg@png")
        #expect(isClose(try color(plain, 8, 8), [128, 128, 128], within: 2))
        // Half of the light is far above half of the range.
        let linear = try await server.get("/_/plain/local:///linear.jpg@png")
        #expect(isClose(try color(linear, 8, 8), [188, 188, 188], within: 3))
    }

    @Test func `a JPEG has a profile only if the URL keeps it`() async throws {
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        for (option, hasProfile) in [("w:32", false), ("w:32/scp:1", false), ("w:32/scp:0", true)] {
            let answer = try await server.get("/_/\(option)/plain/local:///a.jpg")
            #expect((answer.body.range(of: Data("ICC_PROFILE".utf8)) != nil) == hasProfile, "\(option)")
        }
    }

    @Test func `transparency stays in formats that have it, and is filled for JPEG`() async throws {
        try server.write(SamplePhotos.png(width: 64, height: 64, hasAlpha: true), "clear.png")
        for format in ["png", "webp", "avif"] {
            let answer = try await server.get("/_/w:32/plain/local:///clear.png@\(format)")
            #expect(try DecoderRegistry.standard.decode(answer.body).hasAlpha, "\(format)")
        }
        let filled = try await server.get("/_/bg:255:0:0/q:95/plain/local:///clear.png@jpg")
        #expect(isClose(try color(filled, 0, 32), Self.red, within: 24))
        try server.write(SamplePhotos.png(width: 64, height: 64), "opaque.png")
        let opaque = try await server.get("/_/q:95/plain/local:///opaque.png@jpg")
        #expect(isClose(try color(filled, 60, 32), try color(opaque, 60, 32), within: 4))
    }

    // MARK: Size

    @Test(.requirement("V20")) func `an image is enlarged only if the URL asks for that`() async throws {
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        #expect(try await server.get("/_/w:100/plain/local:///a.jpg@png").size?.width == 64)
        #expect(try await server.get("/_/w:100/el:1/plain/local:///a.jpg@png").size?.width == 100)
    }
}
