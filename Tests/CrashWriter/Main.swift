import CalotypeStore
import Foundation

/// Changes a store without end, a line of output for each change, until it is killed.
///
/// `calotype-crash-writer DIRECTORY [SEED] [--operations N] [--file-size-limit BYTES]`
///
/// `calotype-crash-writer DIRECTORY --fills-disk` removes entries while the disk is full, `… --reads` reads the store
/// as a user without write permission there.
@main
struct Main {
    static func main() async throws {
        let arguments = Arguments(CommandLine.arguments.dropFirst())
        guard let directory = arguments.directory else {
            Console.complain("usage: calotype-crash-writer DIRECTORY [SEED] [--operations N] [--file-size-limit BYTES]")
            exit(2)
        }
        switch arguments.scenario {
        case .fillsDisk: return try await FullDisk.run(directory)
        case .reads: return try await Reading.run(directory)
        case nil: break
        }
        if let limit = arguments.fileSizeLimit { limitFileSize(limit, for: .good) }
        var options = DiskStoreOptions()
        options.byteLimit = 4_000_000
        let store = DiskStore(directory: directory, options: options) { problem in
            Console.say("problem \(problem.code.rawValue) \(problem.message)")
        }
        var changes = Changes(seed: arguments.seed, store: store)
        for _ in 0..<arguments.operations { Console.say(await changes.makeOne()) }
        do { try await store.close() } catch { Console.say("problem at close: \(error)") }
        Console.say("done")
    }

    enum Term { case good, now }

    /// Limits the size of files, like a full disk: writes beyond the limit fail once the signal is ignored.
    static func limitFileSize(_ bytes: Int, for term: Term) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: term == .good ? rlim_t(bytes) : rlim_t(Int.max))
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
            setrlimit(RLIMIT_FSIZE, &limit)
        #endif
    }
}

struct Arguments {
    var directory: String?
    var seed: UInt64 = 1
    var operations = Int.max
    var fileSizeLimit: Int?
    var scenario: Scenario?

    enum Scenario { case fillsDisk, reads }

    init(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--operations": operations = rest.popFirst().flatMap(Int.init) ?? operations
            case "--file-size-limit": fileSizeLimit = rest.popFirst().flatMap { Int($0) }
            case "--fills-disk": scenario = .fillsDisk
            case "--reads": scenario = .reads
            case _ where directory == nil: directory = argument
            default: seed = UInt64(argument) ?? seed
            }
        }
    }
}

/// Prints lines without buffering, because tests react to them. If the reader has left, SIGPIPE ends the process.
enum Console {
    static func say(_ line: String) { put(line, to: STDOUT_FILENO) }
    static func complain(_ line: String) { put(line, to: STDERR_FILENO) }

    private static func put(_ line: String, to file: Int32) {
        let bytes = Array((line + "\n").utf8)
        _ = write(file, bytes, bytes.count)
    }
}
