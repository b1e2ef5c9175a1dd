import CalotypeTesting
import Testing
import Waiting

@testable import CalotypeServer

@Suite struct ServerLifetimeTests {
    @Test func `a server without a reference to it is released, with its threads`() async throws {
        weak var released: RenditionServer?
        var web: WebServer? = try WebServer()
        web?.origin.on("/images/a.jpg", WebServer.reply())
        released = web?.server.server
        #expect(try await web?.get().status == 200)
        #expect(released?.metrics.values.memory.isEmpty == false)
        web = nil
        await waitUntil { released == nil }
    }
}
