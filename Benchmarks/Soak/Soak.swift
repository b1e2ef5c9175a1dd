import CalotypeTesting
import Foundation

/// Runs a server under mixed load while its origin, its disk and the server itself fail in turn.
struct Soak {
    private let options: SoakOptions
    private let folder: ScratchDirectory
    private let sources = SoakSources()
    private let origin: FaultOrigin
    private let server: SoakServer
    private let judge: SoakJudge
    private let memory = SoakMemory()

    init(_ options: SoakOptions) throws {
        self.options = options
        folder = try ScratchDirectory()
        origin = try FaultOrigin(sources)
        server = try SoakServer(options, folder: folder.path, origin: origin.url)
        let evidence = NSTemporaryDirectory() + "calotype-soak-\(getpid())"
        try FileManager.default.createDirectory(atPath: evidence, withIntermediateDirectories: true)
        judge = SoakJudge(sources, folder: evidence)
        for source in SoakSources.local { try sources.write(source, in: "\(folder.path)/photos") }
    }

    /// Runs until the time is over, then for a tenth of it around the limits of another server, and prints the report.
    ///
    /// - Returns: `false` for a wrong body, growing memory, a server that ended by itself, or a limit that cuts an answer.
    func run() async throws -> Bool {
        try server.start()
        let start = ContinuousClock.now
        let end = start + .seconds(options.minutes * 60)
        let load = SoakLoad(server, origin: origin.url, sources, judge, seed: options.seed)
        let faults = SoakFaults(server, origin, disk: options.disk, port: server.port, until: end)
        let changes = SoakChanges(server, origin.url, sources, purges: options.purges, seed: options.seed)
        async let sent = load.run(rate: options.rate, until: end)
        async let happened = faults.run()
        async let purged = changes.run(until: end)
        let watch = Task { [memory, server] in await memory.watch(server) }
        // First the task that fails if the server does not start: the others then end with it.
        let events = try await happened
        let (purges, requests) = (try await purged, try await sent)
        watch.cancel()
        await watch.value
        server.end(by: SIGTERM)
        origin.stop()
        let mix = try await SoakMix(folder: folder.path, seed: options.seed).run(for: .seconds(options.minutes * 6))
        let report = SoakReport(
            options: options, requests: requests, events: events, purges: purges, tally: judge.tally, server: server,
            memory: memory, mix: mix)
        print(report.text)
        return report.isGood
    }
}
