#if JPEGXL
    import CalotypeCodecs
    import CalotypeTesting
    import Foundation
    import TestSupport
    import Testing

    /// `calotype resize --recompress`.
    struct RecompressTests {
        @Test func `a folder of JPEGs becomes smaller, and comes back byte for byte`() async throws {
            let calotype = try Calotype()
            let photo = SamplePhotos.jpeg(width: 300, height: 200)
            try calotype.write(photo, to: "photos/a.jpg")
            try calotype.write(photo, to: "photos/trip/b.jpeg")
            try calotype.write(SamplePhotos.png(width: 30, height: 20), to: "photos/c.png")
            let stored = try await calotype("resize", "photos", "--output", "stored", "--recompress")
            #expect(stored.status == 1 && stored.errorLines.count == 1, "\(stored.errors)")
            #expect(stored.errors.contains("c.png: PNG has no other form without loss: only JPEG has"))
            let file = try calotype.contents("stored/a.jxl")
            #expect(file.count < photo.count && file.dropFirst(4).prefix(4) == Data("JXL ".utf8))
            let back = try await calotype("resize", "stored", "--output", "back", "--recompress")
            #expect(back.status == 0, "\(back.errors)")
            #expect(try calotype.contents("back/a.jpg") == photo)
            #expect(try calotype.contents("back/trip/b.jpg") == photo)
        }

        @Test func `a name of another format, and options that change the image, are refused`() async throws {
            let calotype = try Calotype()
            try calotype.write(SamplePhotos.jpeg(width: 30, height: 20), to: "a.jpg")
            let named = try await calotype("resize", "a.jpg", "b.png", "--recompress")
            #expect(named.status == 1 && named.errors.contains("the result is a JPEG XL; name it .jxl"))
            #expect((try? calotype.contents("b.png")) == nil)
            let turned = SampleEXIF.jpeg(Pictures.jpeg(), with: SampleEXIF.camera())
            try calotype.write(turned, to: "turned.jpg")
            let upright = try await calotype("resize", "turned.jpg", "turned.jxl", "--recompress")
            #expect(upright.status == 0, "\(upright.errors)")
            #expect(try Pictures.size(calotype.contents("turned.jxl")) == Pictures.size(turned))
            let sized = try await calotype("resize", "a.jpg", "b.jxl", "--recompress", "--size", "10")
            #expect(sized.status == 2)
            #expect(sized.errors.contains("--recompress keeps the image as it is; leave out --size"))
            let right = try await calotype("resize", "a.jpg", "b.jxl", "--recompress")
            #expect(right.status == 0 && (try? calotype.contents("b.jxl")) != nil)
        }
    }
#endif
