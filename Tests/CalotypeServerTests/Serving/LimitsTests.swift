import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// Sources that claim more than they have, and random ones.
struct LimitsTests {
    private static let headers: [(name: String, data: Data)] = [
        ("huge.png", SamplePhotos.png(width: 8, height: 8).claimingPNGSize(50_000, 50_000)),
        ("huge.jpg", SamplePhotos.jpeg(width: 8, height: 8).claimingJPEGSize(50_000, 50_000)),
    ]

    @Test(.requirement("V16"), arguments: ["png", "jpg", "webp", "avif"])
    func `a header of 50,000 pixels a side is 422, and nothing is encoded`(format: String) async throws {
        let server = try TestServer()
        for (name, data) in Self.headers {
            try server.write(data, name)
            for options in ["w:10", "rs:fill:10:10/g:sm", "t:10", "ar:0/w:10"] {
                let answer = try await server.get("/_/\(options)/plain/local:///\(name)@\(format)")
                #expect(answer.status == 422 && answer.text.contains("too many pixels"), "\(name) \(options)")
            }
        }
        #expect(server.server.renditions.work.encodes == 0)
    }

    private static let files: Int = {
        ProcessInfo.processInfo.environment["CALOTYPE_FUZZED_FILES"].flatMap(Int.init) ?? 300
    }()

    @Test(.requirement("V18")) func `damaged files are 422 or images, and the server goes on`() async throws {
        let server = try TestServer()
        let samples = [
            SamplePhotos.jpeg(width: 64, height: 48), SamplePhotos.png(width: 64, height: 48),
            SamplePhotos.webp(width: 64, height: 48),
        ]
        var random = SplitMix(seed: 18)
        var statuses: [Int: Int] = [:]
        for _ in 0..<Self.files {
            var file = samples[random.number(below: samples.count)]
            for _ in 0..<(1 + random.number(below: 8)) {
                file[random.number(below: file.count)] = UInt8(random.number(below: 256))
            }
            if random.number(below: 3) == 0 { file = file.prefix(random.number(below: file.count)) }
            try server.write(file, "a")
            // Another key for each file.
            let answer = try await server.get("/_/w:16/cb:\(random.next())/plain/local:///a@png")
            statuses[answer.status, default: 0] += 1
        }
        #expect(Set(statuses.keys) == [200, 422], "\(statuses)")
    }
}
