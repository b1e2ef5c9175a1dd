import CalotypeBase
import CalotypeURLs
import Foundation

struct ReloadCommand: Command {
    static let syntax = CommandSyntax(
        name: "reload", summary: "Have a server read its settings again.", operands: "PID", operandCount: 1...1,
        readsSettings: false,
        notes: [
            """
            Sends SIGHUP to the process if it is calotype serve or proxy without a terminal: others would end. The server \
            reports the outcome on its standard error. A unit of systemd needs no kill for its ExecReload= then.
            """
        ],
        examples: [("reload $MAINPID", "as ExecReload= of a unit of systemd")])

    private let process: pid_t

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        // 0, 1 and negative numbers are groups, or the first process.
        let text = arguments.operands[0]
        guard let process = pid_t(text.description), process > 1 else {
            throw arguments.error("\(text.quoted): expected a process ID above 1")
        }
        self.process = process
    }

    func run(_ context: Context) async -> ExitStatus {
        if let problem {
            context.console.complain("reload: process \(process): \(problem)")
            return .failure
        }
        return .success
    }

    /// Sends the signal. Returns the reason if the process does not get it.
    private var problem: String? {
        guard kill(process, 0) == 0 else { return String(cString: strerror(errno)) }
        let words = file("cmdline").split(separator: "\0", omittingEmptySubsequences: false)
        let name = words.first.map { URL(fileURLWithPath: String($0)).lastPathComponent }
        let servers = [ProxyCommand.syntax.name, ServeCommand.syntax.name]
        guard name == "calotype", words.count > 1, servers.contains(String(words[1])) else {
            return "it is not calotype \(servers.joined(separator: " or "))"
        }
        // Behind the name, which may have parentheses: state, parent, group, session and terminal.
        let facts = file("stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard facts.count > 4, facts[4] == "0" else { return "it has a terminal, so that SIGHUP would end it" }
        return kill(process, SIGHUP) == 0 ? nil : String(cString: strerror(errno))
    }

    private func file(_ name: String) -> String {
        let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/\(name)"))
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
