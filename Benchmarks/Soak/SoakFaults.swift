import CalotypeBase
import CalotypeTesting
import Foundation

/// The faults of a soak, one after the other, with a rest behind each: the origin dies, the disk fills, slow clients
/// come, the server is killed.
///
/// Kills end with the first half: memory is judged in the last life of the server.
final class SoakFaults: Sendable {
    private enum Fault: String, CaseIterable {
        case kill = "the server killed"
        case origin = "the origin dead"
        case disk = "the disk full"
        case slow = "100 slow clients"
    }

    private let server: SoakServer
    private let origin: FaultOrigin
    private let disk: String?
    private let port: UInt16
    private let end: ContinuousClock.Instant

    init(
        _ server: SoakServer, _ origin: FaultOrigin, disk: String?, port: UInt16, until end: ContinuousClock.Instant
    ) {
        (self.server, self.origin, self.disk, self.port, self.end) = (server, origin, disk, port, end)
    }

    /// Returns the faults that happened, with their numbers, and the number of times that the server ended by itself.
    func run() async throws -> [String: Int] {
        var events: [String: Int] = [:]
        let length = end - ContinuousClock.now
        let middle = ContinuousClock.now + length / 2
        let part = max(length / 48, .seconds(3))
        var round = 0
        while end - ContinuousClock.now > part * 2 {
            try await rest(part, &events)
            let fault = Fault.allCases[round % Fault.allCases.count]
            round += 1
            if fault == .kill, ContinuousClock.now > middle { continue }
            if fault == .disk, disk == nil { continue }
            try await cause(fault, for: part)
            events[fault.rawValue, default: 0] += 1
        }
        while ContinuousClock.now < end { try await rest(.seconds(1), &events) }
        return events
    }

    /// The name of the event that is a failure of the server.
    static let ended = "the server ended by itself"

    private func rest(_ time: Duration, _ events: inout [String: Int]) async throws {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {
            if server.hasEnded {
                events[Self.ended, default: 0] += 1
                server.end(by: SIGKILL)
                try server.start()
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private func cause(_ fault: Fault, for time: Duration) async throws {
        switch fault {
        case .kill:
            server.end(by: SIGKILL)
            try server.start()
        case .origin:
            origin.stop()
            try await Task.sleep(for: time)
            try origin.restart()
        case .disk:
            guard let disk else { return }
            let filler = try Filler(directory: disk)
            try await Task.sleep(for: time)
            filler.remove()
        case .slow:
            let path = try ThumbnailURL.path(
                "local:///\(SoakSources.name(of: SoakSources.local.lowerBound))", width: 240)
            // Without a server there is no client, which `rest` notices.
            let clients = try? SlowClients(count: 100, port: port, target: path)
            try await Task.sleep(for: time)
            withExtendedLifetime(clients) {}
        }
    }
}

/// A file that takes the room of a file system.
private struct Filler {
    private let path: String

    init(directory: String) throws {
        path = "\(directory)/filler"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchError("\(path) cannot be made") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 64 << 10)
        // The last write is short or fails, when the file system is full.
        while write(descriptor, block, block.count) == block.count {}
    }

    func remove() { unlink(path) }
}
