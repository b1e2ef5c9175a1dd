import CalotypeHTTP
import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import calotype_command

/// `calotype health`, as a container runs it.
struct HealthTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
    }

    @Test func `a server that answers 200 is healthy, and any other answer is not`() async throws {
        origin.on("/health", .ok(Data("ok\n".utf8)))
        origin.on("/moved", .redirect(to: "/health"))
        origin.on("/ready", .status(503))
        let healthy = try await calotype("health", origin.url("health").absoluteString)
        #expect(healthy.status == 0 && healthy.errors == "")
        #expect(healthy.lines == ["\(origin.url("health").absoluteString): 200"])
        for (path, status) in [("moved", 302), ("ready", 503)] {
            let ending = try await calotype("health", origin.url(path).absoluteString)
            #expect(ending.status == 1 && ending.output.isEmpty)
            #expect(ending.errorLines == ["calotype: health: \(origin.url(path).absoluteString): \(status)"])
        }
        #expect(origin.requests.count == 3)
    }

    @Test func `a server that is gone, or silent for two seconds, is not healthy`() async throws {
        let gone = try await calotype("health", "http://127.0.0.1:\(try freePort())/health")
        #expect(gone.status == 1 && gone.errorLines.count == 1)
        let gate = Gate()
        origin.on("/health") { _ in
            gate.waitBlocking()
            return .status(200)
        }
        let silent = try await calotype("health", origin.url("health").absoluteString)
        gate.open()
        #expect(silent.status == 1 && silent.errorLines.count == 1, "\(silent.errors)")
    }

    @Test(arguments: ["127.0.0.1:8080", "ftp://127.0.0.1/health", ""])
    func `an address that is no URL of HTTP is a mistake in the command line`(address: String) async throws {
        let ending = try await calotype("health", address)
        #expect(ending.status == 2 && ending.errorLines.count == 1)
    }
}
