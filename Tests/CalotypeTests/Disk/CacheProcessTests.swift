import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import calotype_cache_client

@Suite struct `Several processes with one HTTP cache` {
    let folder = TemporaryFolder()
    let clock = ManualClock(start: WallClock.system.now)

    @Test func `a process killed while it revalidates leaves what was stored`() async throws {
        let origin = try OriginServer()
        let gate = Gate()
        origin.on(
            "/a",
            replies: [.fresh("one", for: 1000, clock), .fresh("two", for: 1000, tag: "\"2\"", clock).held(by: gate)])
        let url = origin.url("/a").absoluteString
        let client = try ChildProgram.cacheClient(folder.path, url, "flush", "validate", url)
        #expect(await client.lines(1).first?.hasPrefix("200 network 3") == true)
        await origin.waitForRequests(2)
        await client.kill()
        gate.open()
        let cache = DiskCacheHarness(in: folder, clock: clock)
        #expect(try await cache.text(origin.url("/a")) == "fresh: one")
        #expect(cache.allProblems.isEmpty)
    }

    @Test func `a process killed in mid-download leaves nothing that passes for whole`() async throws {
        let origin = try OriginServer()
        let gate = Gate()
        let text = String(repeating: "picture ", count: 20_000)
        origin.on(
            "/a",
            replies: [
                .fresh(text, clock, ["Accept-Ranges": "bytes"]).bodyHeld(by: gate, after: 80_000),
                .fresh(text, clock),
            ])
        let client = try ChildProgram.cacheClient(folder.path, origin.url("/a").absoluteString)
        await origin.waitForRequests(1)
        await client.kill()
        gate.open()
        let cache = DiskCacheHarness(in: folder, clock: clock)
        #expect(try await cache.text(origin.url("/a")) == "network: " + text)
    }

    @Test func `two at once get right bodies all the time`() async throws {
        let origin = try OriginServer()
        let clock = clock
        origin.onAny { request in
            .fresh(String(repeating: request.path, count: 3000), for: request.path.count % 2 == 0 ? 0 : 1000, clock)
        }
        let paths = (0..<300).map { "/\($0 * 7 % 23 * 9)" }
        let urls = paths.map { origin.url($0).absoluteString }
        let clients = try [
            ChildProgram.cacheClient(folder.path, loading: urls),
            ChildProgram.cacheClient(folder.path, loading: urls.reversed()),
        ]
        for (client, paths) in zip(clients, [paths, paths.reversed()]) {
            let lines = await client.linesToEnd()
            #expect(lines.last == "done")
            #expect(lines.count == paths.count + 1)
            for (line, path) in zip(lines, paths) {
                #expect(line.hasPrefix("200 "))
                #expect(line.hasSuffix(" \(path.utf8.count * 3000) \(digest(path))"))
            }
        }
    }

    private func digest(_ path: String) -> String {
        let body = String(repeating: path, count: 3000).utf8
        return String(body.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
