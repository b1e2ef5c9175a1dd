import CalotypeCodecs
import CalotypeTesting
import Foundation
import Requirements
import Testing

@Suite struct DamageTests {
    /// One file of each kind, with noise, so that every byte counts.
    static let files: [(name: String, data: Data)] = {
        guard let noise = try? Pictures.noise(48, 40), let veil = try? Pictures.veil(48, 40) else { return [] }
        let indices = noise.pixels.joined().map { $0.red & 3 }
        let frame = GIFFile.Frame(width: 48, height: 40, indices: indices)
        let palette: [(red: UInt8, green: UInt8, blue: UInt8)] = [(9, 9, 9), (99, 9, 9), (9, 99, 9), (9, 9, 99)]
        let files: [(String, Data?)] = [
            ("baseline JPEG", try? JPEGFiles.make(noise)),
            ("progressive JPEG", try? JPEGFiles.make(noise, progressive: true)),
            ("JPEG with a profile", try? JPEGFiles.make(noise).addingProfile(Profiles.swapped()).addingEXIF(6)),
            (
                "JPEG of inks",
                try? JPEGFiles.ycck(48, 40, cyan: 9, magenta: 99, yellow: 199, black: 200)
                    .addingProfile(Profiles.grayInks())
            ),
            ("PNG", try? noise.encoded(as: .png)),
            ("PNG with alpha", try? veil.encoded(as: .png)),
            ("lossy WebP", try? veil.encoded(as: .webp(quality: 90))),
            ("lossless WebP", try? noise.encoded(as: .webpLossless)),
            ("animated WebP", try? WebPFiles.animation(width: 60, height: 50, [(2, 4, noise), (0, 0, veil)])),
            ("AVIF", try? noise.encoded(as: .avif(quality: 90))),
            ("AVIF with alpha", try? veil.encoded(as: .avif(quality: 90))),
            ("GIF", try? GIFFile(width: 50, height: 44, palette: palette, frames: [frame]).encoded()),
            ("QOI", QOIFiles.make(veil)), ("ICO", SampleIcon.file([noise])),
            ("BMP", SampleBMP(width: 48, height: 40).encoded { noise[$0, $1].rgb }),
            ("TGA", SampleTGA(width: 48, height: 40).encoded { noise[$0, $1].rgb }),
            ("PNM", Data("P6 48 40 255\n".utf8) + noise.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }),
        ]
        return files.compactMap { name, data in data.map { (name, $0) } }
    }()

    @Test func `there is a file of each format that every build reads`() throws {
        // Formats behind traits are in FormatTests.
        let traits = ["heic", "heif", "jxl", "svg+xml", "vnd.microsoft.icon", "tiff"]
        // No request asks for TGA and PNM, and the media type of ICO is another word.
        let others = ["ico", "tga", "pnm"]
        let formats = Set(try Self.files.map { try DecoderRegistry.standard.header(of: $0.data).format.rawValue })
        let accepted = DecoderRegistry.standard.acceptField.components(separatedBy: ", ")
            .filter { $0.hasPrefix("image/") }.map { String($0.dropFirst(6)) }
        #expect(formats == Set(accepted).subtracting(traits).union(others))
        #expect(Self.files.count == 17)
    }

    @Test(arguments: files.map(\.name))
    func `an image cut short after every sixteenth is an error, never half an image`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name }).data
        for sixteenths in 0..<16 {
            let part = file.prefix(file.count * sixteenths / 16)
            let error = #expect(throws: CodecError.self, "\(sixteenths)/16") { try part.decoded() }
            let expected: [CodecError.Code] = part.count < 16 ? [.notAnImage, .damaged] : [.damaged]
            #expect(expected.contains(error?.code ?? .cancelled), "\(sixteenths)/16: \(error?.message ?? "")")
            #expect(error?.message.isEmpty == false)
        }
    }

    @Test(arguments: files.map(\.name))
    func `flipped bits give an image of the announced size or a typed error`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name }).data
        var random = SplitMix(seed: 42)
        var limits = DecodeLimits()
        limits.maxPixels = 20_000
        for _ in 0..<200 {
            var broken = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<broken.count, using: &random)
                broken[broken.startIndex + place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            do {
                let plan = try DecoderRegistry.standard.plan(for: broken, limits: limits)
                let bitmap = try plan.decode()
                #expect(bitmap.width == plan.outputSize.width && bitmap.height == plan.outputSize.height)
            } catch {
                #expect([.notAnImage, .damaged, .tooLarge, .unsupported].contains(error.code), "\(error)")
            }
        }
    }

    @Test(arguments: files.map(\.name))
    func `headers with random bytes behind them never crash`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name }).data
        var random = SplitMix(seed: 7)
        for keep in [12, 20, 30, 60, 120, 200] {
            let tail = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
            let broken = file.prefix(keep) + tail
            do {
                _ = try broken.decoded()
            } catch {
                #expect(error.code != .cancelled)
            }
        }
    }

    @Test(.requirement("D0.6")) func `an error page is no image, and the error shows how it begins`() throws {
        let page = Data("<!DOCTYPE html>\n<html><body>404</body></html>".utf8)
        let error = #expect(throws: CodecError.self) { try page.decoded() }
        #expect(error?.code == .notAnImage)
        #expect(error?.message.contains("<!DOCTYPE html>") == true)
    }

    @Test func `no bytes at all are no image`() throws {
        let error = #expect(throws: CodecError.self) { try Data().decoded() }
        #expect(error?.code == .notAnImage)
        #expect(error?.message.contains("no bytes") == true)
    }

    @Test func `a slice of a larger buffer decodes like the file itself`() throws {
        for (_, file) in Self.files {
            let slice = (Data([1, 2, 3, 4, 5]) + file + [6, 7]).dropFirst(5).dropLast(2)
            let decoded = try slice.decoded()
            #expect(try decoded.worstDistance(to: file.decoded()) == 0)
        }
    }
}
