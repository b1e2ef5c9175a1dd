import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import CalotypeServer
@testable import CalotypeURLs

/// Clients that ask for sources of silent origins, beside others.
@Suite(.timeLimit(.minutes(1))) struct SilentClientTests {
    // They used to take all slots: the next download of another client waited for their deadline.
    @Test func `a client of 20 silent origins leaves slots to another client, and gets those it may have`() async throws
    {
        let gate = Gate()
        let silent = try (1...20).map { try OriginServer(host: "127.0.1.\($0)") }
        let web = try WebServer { options, _ in
            (options.fetchDeadline, options.requestDeadline) = (.seconds(600), .seconds(600))
            options.silentLimit = 16
            options.clients.trusted = try [#require(AddressBlock("127.0.0.1"))]
            for origin in silent { try options.allowed.allow(ByteString(origin.url.absoluteString)) }
        }
        let reply = WebServer.reply()
        for origin in silent { origin.onAny { _ in reply.held(by: gate) } }
        web.origin.onAny { _ in reply }
        let loads = (0..<100).map { number in
            Task {
                let url = silent[number % silent.count].url("/\(number)").absoluteString
                let target = ByteString("/_/w:64/f:png/\(ByteString(base64: url.utf8))")
                return try await web.server.get(target, ["X-Forwarded-For": "203.0.113.1"])
            }
        }
        // More than the half of the slots that it leaves free: loans are in use.
        await waitUntil { silent.reduce(0) { $0 + $1.inFlight } > 16 }
        for number in 0..<3 {
            let answer = try await web.get("/images/\(number).jpg", ["X-Forwarded-For": "203.0.113.2"])
            #expect(answer.status == 200)
        }
        #expect(silent.reduce(0) { $0 + $1.disconnects } == 0)
        gate.open()
        for load in loads { #expect(try await load.value.status == 200) }
    }
}
