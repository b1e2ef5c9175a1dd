import CalotypeBase
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A terminal in which a command runs: it collects the output, and can answer.
final class Terminal: Sendable {
    private let master: Int32
    private let process: Process
    private let end: Task<Int32, Never>
    private let collected: Locked<[UInt8]>
    /// A stream with an event for each read, which ends with the terminal.
    private let reads: AsyncStream<Void>

    struct NoTerminal: Error {}

    /// Runs the command as the leader of a session with this terminal.
    ///
    /// - Parameters:
    ///   - typed: The keys that wait in the terminal before the command starts.
    ///   - program: A program other than the command, such as a shell that calls it.
    ///   - answer: Receives the output so far, and returns the terminal's reply, once.
    init(
        _ arguments: [String], in calotype: Calotype, columns: Int = 80, rows: Int = 24,
        environment: [String: String] = [:], typed: String = "", program: String? = nil,
        answering answer: @escaping @Sendable (String) -> String? = { _ in nil }
    ) throws {
        let (master, slave) = try Terminal.openPair()
        self.master = master
        Terminal.press(typed, at: master)
        // The fields of `winsize`: cells, then pixels.
        var size = [rows, columns, columns * 10, rows * 20].map { UInt16($0) }
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
        process.arguments = ["--ctty", "--wait", program ?? Child.executable.path] + arguments
        process.currentDirectoryURL = calotype.directory
        process.environment = Child.environment(in: calotype, ["TERM": "xterm-256color"].merging(environment) { $1 })
        let stream = FileHandle(fileDescriptor: slave)
        process.standardInput = stream
        process.standardOutput = stream
        process.standardError = stream
        let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { continuation.yield($0.terminationStatus) }
        end = Task { await ends.first { _ in true } ?? -1 }
        let collected = Locked<[UInt8]>([])
        self.collected = collected
        let (reads, ticks) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.reads = reads
        let reader = Thread {
            defer { ticks.finish() }
            var buffer = [UInt8](repeating: 0, count: 4096)
            var isAnswered = false
            // Reading fails when the last process with the terminal open is gone.
            while true {
                let count = read(master, &buffer, buffer.count)
                guard count > 0 else { return }
                let text = collected.withLock { all in
                    all += buffer[..<count]
                    return String(decoding: all, as: UTF8.self)
                }
                ticks.yield()
                if !isAnswered, let reply = answer(text) {
                    isAnswered = true
                    Terminal.press(reply, at: master)
                }
            }
        }
        try process.run()
        close(slave)
        reader.start()
    }

    deinit { close(master) }

    /// Sends keys to the command, such as "\u{3}" for Ctrl-C.
    func press(_ keys: String) { Terminal.press(keys, at: master) }

    static func press(_ keys: String, at master: Int32) {
        _ = keys.withCString { write(master, $0, strlen($0)) }
    }

    static func openPair() throws -> (master: Int32, slave: Int32) {
        #if os(Linux)
            let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (number, lock) = (Int32(0), Int32(0))
            // TIOCSPTLCK and TIOCGPTN, which Swift does not import: unlock the other end, and name it.
            guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0
            else { throw NoTerminal() }
            let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        #else
            let master = posix_openpt(O_RDWR | O_NOCTTY)
            guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
                throw NoTerminal()
            }
            let slave = open(name, O_RDWR | O_NOCTTY)
        #endif
        guard slave >= 0 else { throw NoTerminal() }
        return (master, slave)
    }

    /// Waits for the end of the command. Returns its status and the whole output.
    func ending() async -> (status: Int32, text: String) {
        let status = await end.value
        for await _ in reads {}
        return (status, String(decoding: collected.withLock { $0 }, as: UTF8.self))
    }

    /// Returns when the text has been drawn, or the command has ended.
    func waitFor(_ text: String) async {
        for await _ in reads where String(decoding: collected.withLock { $0 }, as: UTF8.self).contains(text) { return }
    }
}
