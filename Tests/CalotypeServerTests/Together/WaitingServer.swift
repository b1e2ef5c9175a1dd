import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// A server whose decoders are busy until a gate opens, so that all that is asked for meanwhile waits for its turn.
struct WaitingServer {
    let server: TestServer
    let gate = Gate()
    /// The decodes for which the decoders are busy.
    let busy = ImageLoaderOptions.ephemeral.codecThreads
    private let holding: [Task<TestServer.Answer, any Error>]

    /// - Parameter change: Changes the options of the server.
    init(_ change: (inout ServerSetup) throws -> Void = { _ in }) async throws {
        let gate = gate
        server = try TestServer {
            $0.decoders.register(HeldDecoder(gate: gate))
            try change(&$0)
        }
        for number in 0..<busy { try server.write(HeldDecoder.file(number), "held\(number)") }
        holding = (0..<busy).map { [server] number in
            Task { try await server.get("/_/w:1/f:png/plain/local:///held\(number)") }
        }
        await waitUntil { [server, busy] in server.server.renditions.queue.load.inside == busy }
    }

    var work: RenditionWork { server.server.renditions.work }

    /// The decodes besides those for which the decoders were busy.
    var decodes: Int { work.decodes - busy }

    /// Begins requests for widths of a file, and returns when all of them wait.
    func ask(
        _ widths: [Int], of file: String = "a.jpg", _ options: String = "f:png"
    ) async -> [Task<TestServer.Answer, any Error>] {
        let queue = server.server.renditions.queue, before = queue.load.waiting
        let tasks = widths.map { width in
            Task { [server] in try await server.get(Self.target(width, of: file, options)) }
        }
        await waitUntil { queue.load.waiting == before + widths.count }
        return tasks
    }

    static func target(_ width: Int, of file: String = "a.jpg", _ options: String = "f:png") -> ByteString {
        ByteString("/_/w:\(width)/\(options)/plain/local:///\(file)")
    }

    /// Lets the decoder go on, and returns the answers.
    func answers(_ tasks: [Task<TestServer.Answer, any Error>]) async throws -> [TestServer.Answer] {
        gate.open()
        var answers: [TestServer.Answer] = []
        for task in tasks { answers.append(try await task.value) }
        for task in holding { _ = try await task.value }
        return answers
    }

    /// Whether no work is left, and all that it took is back.
    var isAtRest: Bool {
        let maker = server.server.renditions.maker
        return maker.queue.count == 0 && maker.queue.load == (0, 0) && server.server.reservedBytes == 0
            && maker.shared?.count == 0 && maker.shared?.arrivals.count == 0 && maker.shared?.waiters == 0
            && maker.work.inProgress == 0
    }
}
