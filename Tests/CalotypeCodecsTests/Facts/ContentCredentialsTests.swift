import CalotypeTesting
import Foundation
import Testing
import TestSupport

@testable import CalotypeCodecs

/// Content credentials, which a file may have and a result never has.
struct ContentCredentialsTests {
    private static let files: [(name: String, plain: Data, signed: Data)] = {
        let jpeg = SamplePhotos.jpeg(width: 40, height: 30), png = SamplePhotos.png(width: 40, height: 30)
        let webp = SamplePhotos.webp(width: 40, height: 30)
        let avif = (try? Pictures.gradient(16, 16).encoded(as: .avif(speed: 10))) ?? Data()
        return [
            ("JPEG", jpeg, SampleCredentials.jpeg(jpeg)), ("PNG", png, SampleCredentials.png(png)),
            ("WebP", webp, SampleCredentials.webp(webp)), ("AVIF", avif, SampleCredentials.boxed(avif)),
        ]
    }()

    @Test(arguments: files.map(\.name)) func `a store in the place of its format is found`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name })
        #expect(ContentCredentials.arePresent(in: file.signed))
        #expect(!ContentCredentials.arePresent(in: file.plain))
        // The files stay images, whose bytes have the store.
        #expect(try file.signed.decoded().size == file.plain.decoded().size)
        #expect(file.signed.range(of: SampleCredentials.mark) != nil)
    }

    @Test(arguments: files.map(\.name)) func `a file that ends anywhere is read without harm`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name })
        for count in 0..<file.signed.count { _ = ContentCredentials.arePresent(in: file.signed.prefix(count)) }
        #expect(!ContentCredentials.arePresent(in: Data()))
    }

    @Test func `boxes of another type, or in another place, are none`() {
        let jpeg = SamplePhotos.jpeg(width: 40, height: 30), png = SamplePhotos.png(width: 40, height: 30)
        var other = SampleCredentials.store
        other[other.startIndex + 16] = UInt8(ascii: "x")
        #expect(!ContentCredentials.arePresent(in: SampleCredentials.jpeg(jpeg, with: other)))
        #expect(!ContentCredentials.arePresent(in: SampleCredentials.png(png, with: other)))
        #expect(!ContentCredentials.arePresent(in: jpeg + SampleCredentials.store))
    }

    @Test func `a file of many small boxes takes little memory`() throws {
        let head = Data([0, 0, 0, 8]) + Data("ftyp".utf8)
        let boxes = Data((0..<200_000).flatMap { _ in [0, 0, 0, 8] + Array("uuid".utf8) })
        #expect(!ContentCredentials.arePresent(in: head + boxes))
        (head + boxes).reading { #expect(ByteReader($0).boxes("uuid", from: 8).count == 1 << 16) }
    }
}
