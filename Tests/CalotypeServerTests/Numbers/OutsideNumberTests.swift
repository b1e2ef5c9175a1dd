import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

@testable import CalotypeCodecs
@testable import CalotypeHTTPCache
@testable import CalotypeServer
@testable import CalotypeURLs

/// Numbers from outside of the server, each with the longest way that it goes: none of them ends the process.
struct OutsideNumberTests {
    static let numbers: [ByteString] = [
        "", "0", "-0", "1", "-1", "0.5", "1e9", "9007199254740993", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551616", "99999999999999999999", "1e308", "-1e308", "1e999", "nan",
        "inf",
        "-inf", "0x7fffffffffffffff", "٣",
    ]

    /// A place where numbers are read. `name` is the row in the list of `Documentation/Numbers.md`.
    struct Reader: Sendable, CustomTestStringConvertible {
        let name: String
        let read: @Sendable (ByteString) async throws -> Void

        var testDescription: String { name }
    }

    private static let now = 1_767_225_600.0

    static let readers: [Reader] = [
        Reader(name: "Times, lengths and statuses of stored heads") { number in
            for part in heads.indices {
                var words = heads
                words[part] = number
                let text =
                    "calotype-http 1\n\nvariant 1 \(words[0]) 00\nGET \(words[1]) http://a/\ntimes \(words[2]) "
                    + "\(words[3])\npart \(words[4]) \(words[5]) \(words[6])\n\nETag: \"a\"\nLast-Modified: \(date)\n"
                for variant in [StoredVariant](encodedHeads: Data(text.utf8)) ?? [] { follow(variant.head) }
            }
        },
        Reader(name: "`Age`, `Expires` and directives of responses") { number in
            for name in ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"] {
                follow(["Cache-Control": "\(ByteString(name))=\(number)", "Age": number, "Expires": number])
                follow(["CDN-Cache-Control": "\(ByteString(name))=\(number)", "Date": number])
            }
        },
        Reader(name: "`Content-Length`, `Content-Range` and `Range`") { number in
            _ = (["Content-Length": number] as HTTPFields).contentLength
            for text: ByteString in ["\(number)-", "-\(number)", "0-\(number)", "\(number)-\(number)"] {
                let range = ByteRange("bytes=\(text)")
                for length in [0, 1, Int.max] { _ = range?.resolved(in: length).count }
                _ = range?.bounded?.count
                for whole: ByteString in ["*", number] { _ = ContentRange("bytes \(text)/\(whole)")?.range.count }
            }
        },
        Reader(name: "`Retry-After`") { number in
            let fields: HTTPFields = ["Retry-After": number]
            let pause = HTTPResponse(url: RenditionAnswers.url, status: 503, fields: fields).retryAfter(now: now)
            #expect(pause ?? .zero >= .zero)
        },
        Reader(name: "Options of URLs") { number in
            let options = ServerSetup(root: "/")
            for name in OptionTable.rows.flatMap(\.names) {
                for arguments: ByteString in [number, "1:\(number):\(number)", "fit:\(number):\(number):1:\(number)"] {
                    let path: ByteString = "/_/\(name):\(arguments)/plain/local:///a"
                    _ = try? await options.explanation(of: path)
                    guard let request = try? RenditionRequest(path: path.dropFirst(2)) else { continue }
                    var response = HTTPResponse(
                        url: RenditionAnswers.url, status: 200, fields: ["Age": number, "Cache-Control": "max-age=5"])
                    for now in [0, now, 1e308] { response.complete(for: request, now: now) }
                }
            }
        },
        Reader(name: "Parameters of imaginary") { number in
            let names = [
                "width", "height", "areawidth", "areaheight", "left", "top", "factor", "rotate", "quality", "sigma",
                "minampl", "aspectratio", "background",
            ]
            let escaped = number.percentEncoded { $0.isUnreserved }
            let parameters = names.map { ByteString("\($0)=\(escaped)") }.joined(separator: "&")
            let ratios: ByteString = "width=\(escaped)&aspectratio=\(escaped):\(escaped)&background=\(escaped),1,2"
            let members = names.map { ByteString("\"\($0)\":\(escaped)") }.joined(separator: ",")
            for name in ImaginaryOperation.all.map(\.name) {
                for target: ByteString in [
                    "/\(name)?\(parameters)", "/\(name)?\(ratios)", "/\(name)?width=\(escaped)&height=\(escaped)",
                    "/\(name)?factor=\(escaped)", "/\(name)?areawidth=\(escaped)&areaheight=\(escaped)&left=\(escaped)",
                    "/pipeline?operations=[{\"operation\":\"\(name)\",\"params\":{\(members)}}]",
                ] {
                    let parsed = try? ImaginaryGrammar().request(ImaginaryTarget(target), method: "POST")
                    guard case .rendition(let options) = parsed?.task else { continue }
                    let layout = RenditionLayout(options, longestSide: 8192)
                    for side in [1, 65_535] {
                        _ = layout.geometry(of: PixelSize(width: side, height: 65_535 / side)).result
                    }
                }
            }
        },
        Reader(name: "Ports of sources") { number in
            var allowed = AllowedSources()
            _ = try? allowed.allow("http://example.com:\(number)/a")
            _ = try? allowed.objects.add("photos endpoint=http://example.com:\(number)")
        },
        Reader(name: "Times of purges") { number in
            let rest: ByteString = "\(number) hard all"
            let digest = ByteString(String(rest.withBytes { KeyDigest.hex(of: $0) }.prefix(16)))
            let id = PurgeID(time: Double(number.string) ?? 0)
            for learnt in [id.time, Double(number.string) ?? 0] {
                let line: ByteString = "\(digest) \(rest)"
                guard let purge = Purge(line.bytes, id: id, learnt: learnt) else { continue }
                _ = (PurgeRecord(purge), purge.text, purge.id.text)
                let list = PurgeList()
                list.set([purge])
                _ = list.moments(of: "http://a/").effect(onRequestAt: now, now: now)
            }
            for digits in [number, ByteString(String(repeating: "9", count: 13))] {
                _ = PurgeID("\(digits)-0123456789abcdef").map { PurgeID.beginning(at: $0.time) }
            }
        },
        Reader(name: "Times and lengths of far pages") { number in
            for place in 1...3 {
                var words: [ByteString] = ["page", "0", "0", "0"]
                words[place] = number
                let page = Data(("\(words.joined(separator: " "))\n" as ByteString).bytes)
                #expect(throws: FarPageFault.self) { try FarPage(FarPage.sealed(page, key: "a"), key: "a") }
            }
        },
        Reader(name: "Numbers of gain maps") { number in
            let names = [
                "GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR", "HDRCapacityMin", "HDRCapacityMax",
            ]
            for own in names {
                let attributes = names.map { (name: String) -> String in
                    let usual = name.hasSuffix("Max") || name == "Gamma" ? "1" : "0"
                    return " h:\(name)='\(name == own ? number.string : usual)'"
                }
                let text = "<x xmlns:h='\(XMPProperties.gainMap)'\(attributes.joined())/>"
                let read = Data(text.utf8).reading { GainMapNumbers(XMPProperties($0)) }
                guard let numbers = read else { continue }
                let iso = numbers.iso.reading { GainMapNumbers(iso: ByteReader($0)) }
                let xmp = Data(numbers.xmp.utf8).reading { GainMapNumbers(XMPProperties($0)) }
                #expect(iso?.agree(with: numbers) == true && xmp?.agree(with: numbers) == true)
            }
            let headroom = Data("<x xmlns:a='\(XMPProperties.appleGainMap)' a:HDRGainMapHeadroom='\(number)'/>".utf8)
            _ = headroom.reading { AppleGainMap(XMPProperties($0), exif: nil)?.table }
        },
        Reader(name: "Places of gain maps") { number in
            let (items, container) = (XMPProperties.items, XMPProperties.container)
            for (length, padding) in [(number, "0"), ("9", number), (number, number)] as [(ByteString, ByteString)] {
                let text =
                    "http://ns.adobe.com/xap/1.0/\0<x xmlns:C='\(container)' xmlns:I='\(items)'>"
                    + "<C:Item I:Semantic='Primary'/>"
                    + "<C:Item I:Semantic='GainMap' I:Length='\(length)' I:Padding='\(padding)'/></x>"
                let size = text.utf8.count + 2
                let segment = Data([0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 255)]) + Data(text.utf8)
                let photo = SamplePhotos.jpeg(width: 16, height: 16)
                let file = photo.prefix(2) + segment + photo.dropFirst(2)
                let source = try? GainMap.source(in: file)
                #expect(source == nil)
            }
        },
        Reader(name: "Peaks of brightness") { number in
            guard var colors = CodedColors(primaries: 9, transfer: 16), let light = Double(number.string) else {
                return
            }
            // A JPEG XL has a number of 32 bits, boxes have ten-thousandths.
            for light in [light, Double(Float(light)), light / 10_000] {
                let peak = SourcePeak.valid(light)
                #expect(peak.map { (1...10_000).contains($0) } ?? true)
                colors.peak = peak ?? SourcePeak.standard
                var row = [SIMD4<UInt16>.zero, SIMD4(repeating: .max)]
                row.withUnsafeMutableBufferPointer { ToneMapping(colors, bits: 16)?.apply(to: $0) }
                #expect(row[0].w == 0 && row[1].w == .max)
            }
        },
        Reader(name: "Code points in a profile") { number in
            let value = UInt32(truncatingIfNeeded: Int(number.string) ?? 0)
            for (place, length) in [(144, 12), (value, 12), (144, value), (value, value)] as [(UInt32, UInt32)] {
                for points in [[9, 16, 0, 1], value.bigEndianBytes] {
                    var profile = [UInt8](repeating: 0, count: 128) + UInt32(1).bigEndianBytes
                    profile.replaceSubrange(16..<20, with: Array("RGB ".utf8))
                    profile.replaceSubrange(36..<40, with: Array("acsp".utf8))
                    profile += Array("cicp".utf8) + place.bigEndianBytes + length.bigEndianBytes
                    profile += Array("cicp".utf8) + [0, 0, 0, 0] + points
                    let found = ColorProfile(profile)?.highRange
                    #expect(found == nil || found?.colors?.curve == .pq)
                }
            }
        },
        Reader(name: "Times of files") { number in
            guard let seconds = Int(number.string) else { return }
            for nanoseconds in [0, 999_999_999] { _ = Int64(fileTime: seconds, nanoseconds) }
        },
    ]

    @Test(arguments: readers) func `no number ends the server`(reader: Reader) async throws {
        for number in Self.numbers { try await reader.read(number) }
    }

    @Test func `the list of numbers names each reader`() throws {
        let place = URL(fileURLWithPath: #filePath).appending(path: "../../../../Documentation/Numbers.md").standardized
        let list = try String(contentsOf: place, encoding: .utf8)
        for reader in Self.readers { #expect(list.contains("| \(reader.name) |"), "\(reader.name)") }
    }

    @Test(arguments: [
        (Double.nan, 0), (.infinity, Int.max), (-.infinity, Int.min), (1e308, Int.max), (-1e308, Int.min),
        (9.223_372_036_854_775_807e18, Int.max), (-9.223_372_036_854_775_808e18, Int.min), (-0.9, 0), (1.9, 1),
        (-1.9, -1),
    ])
    func `a number beyond the range becomes its nearest end`(number: Double, whole: Int) {
        #expect(Int(saturating: number) == whole)
        let outcome = CacheOutcome(source: .fresh, freshUntil: number)
        #expect("\(StoredState(outcome, now: 0))".hasSuffix(" s"))
    }

    @Test(arguments: [
        (9_223_372_036, 854_775_807, Int64.max), (9_223_372_036, 854_775_808, .max), (9_223_372_037, 0, .max),
        (-9_223_372_037, 0, .min), (Int.max, 0, .max), (Int.min, 999_999_999, .min), (1, 5, 1_000_000_005), (0, 0, 0),
    ])
    func `a file's time beyond the range becomes its nearest end`(seconds: Int, nanoseconds: Int, time: Int64) {
        #expect(Int64(fileTime: seconds, nanoseconds) == time)
    }

    // MARK: The ways

    /// The words of a head: length, status, times, and the bounds and the length of a part.
    private static let heads: [ByteString] = ["5", "200", "1767225600.5", "1767225601", "0", "5", "10"]
    private static let date = HTTPDate.format(now)

    private static func follow(_ fields: HTTPFields) {
        follow(StoredResponse(url: "http://a/", status: 200, fields: fields, requestTime: now, responseTime: now + 1))
        _ = CacheRules.shared.derivedCaching(from: fields, now: now)
    }

    /// Takes a stored head to each place that computes with its numbers.
    private static func follow(_ head: StoredResponse) {
        for rules in [CacheRules.shared, .private] {
            for now in [0, now, 4_102_444_800] {
                for range: ByteString in ["bytes=0-4", "bytes=-5", "bytes=9223372036854775806-"] {
                    let request = HTTPRequest(RenditionAnswers.url, fields: ["Range": range])
                    _ = rules.answer(request, from: head, now: now)
                }
                let freshness = rules.freshness(of: head, now: now)
                _ = freshness.wholeTTL
                _ = StoredState(CacheOutcome(.fresh, freshness, of: head.fields, now: now), now: now).description
            }
        }
        _ = head.ended(bodyLength: 3, isComplete: false)
    }
}
