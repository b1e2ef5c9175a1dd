import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Origins that send too much, lead in circles, or do not exist.
@Suite(.timeLimit(.minutes(1))) struct HostileSourceTests {
    private let web: WebServer
    private let gate = Gate()

    init() throws {
        web = try WebServer { options, _ in
            options.maxSourceBytes = 100_000
            try options.allowed.allow("http://missing.invalid")
        }
    }

    @Test(.requirement("V15"), arguments: [false, true])
    func `a declared length beyond the limit is 422, and no body is awaited`(isStored: Bool) async throws {
        defer { gate.open() }
        let web = try WebServer(isStored: isStored) { options, _ in options.maxSourceBytes = 100_000 }
        web.origin.on("/images/a.jpg", .ok(Data(count: 100_001)).bodyHeld(by: gate, after: 0))
        let answer = try await web.get()
        #expect(answer.status == 422 && answer.text == "the source has too many bytes\n")
        await web.origin.waitForDisconnects(1)
    }

    @Test(.requirement("V15"), arguments: [false, true])
    func `chunks without end are 422 at the limit`(isStored: Bool) async throws {
        defer { gate.open() }
        let web = try WebServer(isStored: isStored) { options, _ in options.maxSourceBytes = 100_000 }
        web.origin.on("/images/a.jpg", .ok(Data(count: 1_000_000)).chunked().bodyHeld(by: gate, after: 200_000))
        #expect(try await web.get().status == 422)
        await web.origin.waitForDisconnects(1)
        #expect(web.work.decodes == 0)
    }

    @Test func `200 redirects in a row are 502 after five of them`() async throws {
        for hop in 0..<200 { web.origin.on("/images/\(hop)", .redirect(to: "/images/\(hop + 1)")) }
        let answer = try await web.get("/images/0")
        #expect(answer.status == 502 && answer.text == "the source redirects too often\n")
        #expect(web.origin.requestCount() == 6)
    }

    // Their client has 128 connections. The machine's resolver answers at once or late: some loads may have ended.
    @Test func `100 sources of a host that does not exist delay no others`() async throws {
        web.origin.on("/images/a.jpg", WebServer.reply())
        let ended = Locked(0)
        let loads = (0..<100).map { number in
            Task { [web] in
                defer { ended.withLock { $0 += 1 } }
                _ = try await web.server.get("/_/w:10/plain/http://missing.invalid/\(number)@png")
            }
        }
        await waitUntil { web.work.inProgress + ended.withLock { $0 } >= 100 }
        #expect(try await web.get().status == 200)
        #expect(web.server.server.renditions.queue.count == 0)
        for load in loads { load.cancel() }
        await waitUntil { web.work.inProgress == 0 }
    }
}
