import CSandbox
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing
import calotype_faulty_decoder

@Suite struct ChildHandleTests {
    /// Starts a program that waits.
    private static func start() throws -> pid_t {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        var arguments = [strdup("/bin/sleep"), strdup("600"), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for text in arguments { free(text) } }
        var process = pid_t()
        let moved = calotype_moved(null)
        defer { close(moved) }
        try #require(calotype_spawn("/bin/sleep", &arguments, &environment, [moved, moved, moved], &process) == 0)
        return process
    }

    private static func isRunning(_ process: pid_t) -> Bool {
        var (signal, status): (Int32, Int32) = (0, 0)
        return calotype_wait(-1, process, WNOHANG | Int32(WNOWAIT), &signal, &status) == 0 && signal == 0
    }

    private static let hasDescriptors: Bool = {
        let own = calotype_process_descriptor(getpid())
        defer { close(own) }
        return own >= 0
    }()

    @Test(.enabled(if: hasDescriptors, "the kernel has no descriptors of processes"))
    func `another process with the number of an ended child lives on`() throws {
        let (child, other) = try (Self.start(), Self.start())
        let handle = ChildHandle(number: other, descriptor: calotype_process_descriptor(child))
        #expect(handle.end() == ChildHandle.End(signal: SIGKILL, status: 0))
        #expect(!Self.isRunning(child) && Self.isRunning(other))
        // The child has ended: now the number alone refers to a process.
        #expect(handle.end() == ChildHandle.End())
        #expect(Self.isRunning(other))
        kill(other, SIGKILL)
        waitpid(other, nil, 0)
    }

    /// The test process has other children, whose status it would miss: it ignores their ends for a moment only.
    @Test func `workers end and are replaced in a program that ignores the ends of its children`() throws {
        let faulty = FaultyWorkers(limit: 2)
        let before = signal(SIGCHLD, SIG_IGN)
        defer { signal(SIGCHLD, before) }
        for number in 0..<3 {
            #expect(throws: CodecError.self) { try faulty.decode(.crash, number) }
            #expect(try faulty.decode(.none, number).words == FaultyWorkers.good(number))
            Processes.killChildren(named: "calotype-faulty")
        }
        faulty.workers.close()
        #expect(Processes.children(named: "calotype-faulty") == [])
    }
}
