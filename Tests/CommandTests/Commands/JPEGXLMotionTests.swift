#if JPEGXL
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// `calotype resize` of an animated JPEG XL.
    struct JPEGXLMotionTests {
        @Test func `an animated JPEG XL becomes an animated WebP, and info counts its frames`() async throws {
            let calotype = try Calotype()
            let file = try JPEGXLFile.animation(
                width: 40, height: 30, colors: [0xFF0000, 0x00FF00, 0x0000FF], milliseconds: 80, loops: 4)
            try calotype.write(file, to: "in.jxl")
            let resized = try await calotype("resize", "in.jxl", "out.webp", "--size", "20")
            #expect(resized.status == 0, "\(resized.errors)")
            let animation = try #require(try DecoderRegistry.standard.animation(for: calotype.contents("out.webp")))
            #expect(animation.size == PixelSize(width: 20, height: 15) && animation.frameCount == 3)
            #expect(animation.loopCount == 4 && animation.durations[2] == .milliseconds(80))
            let info = try await calotype("info", "in.jxl")
            let facts = String(decoding: info.output, as: UTF8.self)
            #expect(info.status == 0 && facts.contains("3 frames"), "\(facts)")
        }
    }
#endif
