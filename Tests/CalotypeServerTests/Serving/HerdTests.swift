import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Many clients at once.
struct HerdTests {
    private let web: WebServer

    init() throws { web = try WebServer() }

    /// Begins as many equal requests.
    private func herd(_ count: Int) -> [Task<TestServer.Answer, any Error>] {
        (0..<count).map { _ in Task { [web] in try await web.get() } }
    }

    private func answers(_ tasks: [Task<TestServer.Answer, any Error>]) async throws -> [TestServer.Answer] {
        var answers: [TestServer.Answer] = []
        for task in tasks { answers.append(try await task.value) }
        return answers
    }

    /// Waits until so many requests share the work of others.
    private func waitForWaiters(_ count: Int) async {
        await waitUntil { web.server.server.waiters >= count }
    }

    @Test(.requirement("V22")) func `100 equal requests load, decode and encode once`() async throws {
        let gate = Gate()
        web.origin.on("/images/a.jpg", WebServer.reply().held(by: gate))
        let tasks = herd(100)
        await waitForWaiters(99)
        gate.open()
        let answers = try await answers(tasks)
        #expect(answers.allSatisfy { $0.status == 200 } && Set(answers.map(\.body)).count == 1)
        #expect(web.origin.requestCount() == 1)
        #expect(web.work.decodes == 1 && web.work.encodes == 1)
    }

    @Test(
        .requirement("V41"),
        arguments: [
            ("broken", 422), ("missing", 404), ("no-cache", 200), ("no-store", 200), ("private", 200),
        ])
    func `100 requests for a source that is not shared load, decode and encode once`(
        kind: String, status: Int
    ) async throws {
        let gate = Gate()
        let reply: OriginReply =
            switch kind {
            case "broken": .ok(SamplePhotos.jpeg(width: 640, height: 480).prefix(3000))
            case "missing": .status(404)
            default: WebServer.reply(kind)
            }
        web.origin.on("/images/a.jpg", reply.held(by: gate))
        let tasks = herd(100)
        await waitForWaiters(99)
        gate.open()
        #expect(try await answers(tasks).allSatisfy { $0.status == status })
        #expect(web.origin.requestCount() == 1)
        #expect(web.work.decodes == (status == 404 ? 0 : 1) && web.work.encodes == (status == 200 ? 1 : 0))
    }

    @Test(.requirement("V23")) func `ten sizes at once load the source once`() async throws {
        let gate = Gate()
        web.origin.on("/images/a.jpg", WebServer.reply().held(by: gate))
        let tasks = (50..<60).map { width in Task { [web] in try await web.get(width: width) } }
        await waitUntil { web.work.inProgress >= 10 }
        gate.open()
        #expect(Set(try await answers(tasks).map { $0.size?.width }) == Set(50..<60))
        #expect(web.origin.requestCount() == 1)
        // Those that wait for the source at once share a decode, as far as they are ready when it begins.
        #expect(web.work.decodes <= 10 && web.work.encodes == 10)
    }

    // MARK: Clients that leave

    @Test(.requirement("V24")) func `if the first client leaves, the others get the result of the same work`()
        async throws
    {
        let gate = Gate()
        web.origin.on("/images/a.jpg", WebServer.reply().held(by: gate))
        let leader = herd(1)
        await web.origin.waitForRequests(1)
        let others = herd(5)
        await waitForWaiters(5)
        for task in leader { task.cancel() }
        await waitUntil { web.server.server.waiters <= 4 }
        gate.open()
        #expect(try await answers(others).allSatisfy { $0.status == 200 })
        #expect(web.origin.requestCount() == 1)
        #expect(web.work.decodes == 1 && web.work.encodes == 1)
    }

    @Test(.requirement("V24")) func `the last client that leaves cancels the work, and the next one starts anew`()
        async throws
    {
        let gate = Gate()
        web.origin.on("/images/a.jpg", WebServer.reply().held(by: gate))
        let tasks = herd(3)
        await web.origin.waitForRequests(1)
        await waitForWaiters(2)
        for task in tasks { task.cancel() }
        await web.origin.waitForDisconnects(1)
        #expect(web.work.decodes == 0)
        await waitUntil { web.work.inProgress == 0 }
        gate.open()
        #expect(try await web.get().status == 200)
        #expect(web.origin.requestCount() == 2 && web.work.decodes == 1)
    }
}
