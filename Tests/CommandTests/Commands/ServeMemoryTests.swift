import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import TestSupport
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing
import Waiting

@testable import Calotype
@testable import CalotypeServer
@testable import calotype_command

/// The memory of the real server, in a separate process.
@Suite(
    .requirement("V48"),
    .disabled(if: Sanitizers.areOn, "a sanitizer's own memory cannot be told from the server's"))
struct ServeMemoryTests {
    private let calotype: Calotype
    private static let photo = SamplePhotos.jpeg(width: 1000, height: 800)
    private static let bordered = SamplePhotos.png(width: 900, height: 600)
    private static let animation = SampleAnimations.gif(
        width: 500, height: 400, colors: [0xFF0000, 0xFF00, 0xFF, 0xFFFF00, 0xFFFF])
    private static let mark = SamplePhotos.png(width: 100, height: 80)

    init() throws {
        calotype = try Calotype()
        try calotype.write(Self.photo, to: "photos/a.jpg")
        try calotype.write(Self.bordered, to: "photos/a.png")
        try calotype.write(Self.animation, to: "photos/a.gif")
        try calotype.write(Self.mark, to: "mark.png")
    }

    private func start(_ flags: [String]) throws -> ServerChild {
        let photos = calotype.directory.appending(path: "photos").path
        return try ServerChild(["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"] + flags)
    }

    private static func answer(_ server: ServerChild, _ target: String) async throws -> String {
        let client = try RawClient(port: server.port)
        try client.get(target, lines: ["Connection: close"])
        return await client.receive()
    }

    /// Returns the memory that the server reserves for a rendition.
    private static func expected(_ options: String, _ name: String) throws -> Int {
        let file = name == "a.jpg" ? photo : name == "a.png" ? bordered : animation
        let request = try RenditionRequest(path: ByteString("/\(options)/plain/a"))
        let mark = WatermarkImage(try DecoderRegistry.standard.decode(Self.mark))
        let layout = RenditionLayout(request.options, longestSide: 4096, watermark: mark)
        let plan = try DecoderRegistry.standard.plan(for: file, target: layout)
        let memory = RenditionPeak(
            layout: layout, encoding: RenditionEncoding(options: request.options, accepted: nil)
        ).memory
        let isMoving = plan.header.isAnimated && memory.frames != nil
        return LaterWork(steps: [], encoding: memory, isStored: false)
            .peakBytes(by: plan, file: isMoving ? file.count : 0)
    }

    /// Options of each kind of step and encoder, for a result of about a megapixel.
    @Test(
        .requirement("V26"), .timeLimit(.minutes(4)),
        arguments: [
            ("w:1000/f:png", "a.jpg"), ("w:1400/el:1/f:jpg", "a.jpg"), ("w:1400/el:1/f:webp", "a.jpg"),
            ("w:900/f:webp/webpo:lossless", "a.png"), ("w:1000/jpgo:1/f:jpg", "a.jpg"), ("pd:200/f:jpg", "a.jpg"),
            ("s:1400:1100:0:1/f:png", "a.jpg"), ("bl:20/f:png", "a.jpg"), ("sh:3/f:png", "a.jpg"),
            ("rot:90/fl:1:1/f:png", "a.png"), ("wm:0.5:ce:0:0:1/f:png", "a.jpg"), ("wm:0.5:re:9:9/f:png", "a.jpg"),
            ("t:10/w:1200/el:1/f:png", "a.png"), ("f:webp", "a.gif"), ("w:700/el:1/pd:50/f:webp", "a.gif"),
        ])
    func `no rendition takes more memory than is reserved for it`(options: String, name: String) async throws {
        let server = try start(["--no-isolate", "--watermark", calotype.directory.appending(path: "mark.png").path])
        let target = "/plain/local:///\(name)"
        // The code, the libraries' tables and the threads are in memory afterwards.
        for warmUp in ["cb:1", "cb:2"] {
            #expect(try await Self.answer(server, "/_/\(options)/\(warmUp)\(target)").hasPrefix("HTTP/1.1 200 "))
        }
        try server.forgetPeakMemory()
        let before = server.peakMemory
        let whole = try await Self.answer(server, "/_/\(options)/cb:3\(target)")
        #expect(whole.hasPrefix("HTTP/1.1 200 "))
        let growth = server.peakMemory - before, expected = try Self.expected(options, name)
        // The file, its result in the cache and on its way, and what the allocator rounds up.
        let rest = 3 * whole.utf8.count + 3 << 20
        #expect(before > 0 && growth <= expected + rest, "\(growth >> 10) KiB, \(expected >> 10) reserved")
    }

    @Test(.timeLimit(.minutes(4)), arguments: [["--no-isolate"], []])
    func `a burst stays within the memory of the option, and returns it`(flags: [String]) async throws {
        let server = try start(flags + ["--memory", "256MB"])
        for name in ["a.jpg", "a.png"] {
            _ = try await Self.answer(server, "/_/w:600/f:jpg/cb:0/plain/local:///\(name)")
        }
        let before = server.wholeMemory
        let isOver = Locked(false)
        let peak = Task {
            var peak = 0
            while !isOver.withLock({ $0 }) {
                peak = max(peak, server.wholeMemory)
                await Task.yield()
            }
            return peak
        }
        let statuses = try await withThrowingTaskGroup(of: Substring.self) { group in
            for number in 1...100 {
                let name = number % 2 == 0 ? "a.jpg" : "a.png"
                group.addTask {
                    let target = "/_/w:600/f:jpg/cb:\(number)/plain/local:///\(name)"
                    return try await Self.answer(server, target).dropFirst(9).prefix(3)
                }
            }
            return try await group.reduce(into: [Substring]()) { $0.append($1) }
        }
        isOver.withLock { $0 = true }
        let most = await peak.value
        // On a busy machine, some come to their deadline.
        #expect(statuses.contains("200") && statuses.allSatisfy { ["200", "503", "504"].contains($0) })
        #expect(before > 0 && most > before && most < 256_000_000, "\(most >> 20) MiB")
        // The results stay in memory, within their share.
        let results = MemoryShares(total: 256_000_000, processors: 1, isStored: false).results
        await waitUntil { server.wholeMemory - before <= results + 4 << 20 }
    }

    @Test func `the start names each share`() {
        let line = MemoryShares(total: 512_000_000, processors: 2, isStored: false).line
        #expect(line.hasPrefix("512.0 MB: program 67.1 MB, 2 workers 33.6 MB, decodes 154.3 MB, undecoded 102.8 MB"))
        #expect(!MemoryShares(total: 512_000_000, processors: 2, isStored: true).line.contains("sources"))
        #expect(MemoryShares(total: 512_000_000, processors: 1, isStored: true).line.contains("1 worker 16.8 MB"))
    }
}
