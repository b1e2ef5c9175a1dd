import CalotypeTesting
import TestSupport
import Foundation

extension Process {
    /// Starts the program on two processors, so that all servers that start a worker for each processor start two.
    func runOnTwoProcessors() throws {
        if let taskset = Tool.path("taskset"), let program = executableURL, let processors = Self.firstTwoProcessors {
            executableURL = URL(fileURLWithPath: taskset)
            arguments = ["--cpu-list", processors, program.path] + (arguments ?? [])
        }
        // A child inherits the set of signals that the thread blocks, but must receive SIGTERM.
        var none = sigset_t(), blocked = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try run()
    }

    /// Starts a server on two processors, and returns when it listens.
    func start(on port: UInt16, _ name: String) throws {
        try runOnTwoProcessors()
        var tries = 0
        while !isListening(port) {
            tries += 1
            guard isRunning, tries < 1000 else { throw BenchError("\(name) does not start") }
            usleep(10_000)
        }
    }

    /// Two of the processors that this process may use, such as "0,1"; `nil` if there are fewer.
    private static var firstTwoProcessors: String? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let label = "Cpus_allowed_list:"
        guard let line = status?.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else { return nil }
        let numbers = line.dropFirst(label.count).split(separator: ",").flatMap { range in
            let ends = range.split(separator: "-").compactMap { Int($0.filter(\.isNumber)) }
            return ends.isEmpty ? [] : Array(ends[0]...ends[ends.count - 1])
        }
        return numbers.count < 2 ? nil : "\(numbers[0]),\(numbers[1])"
    }
}
