import CalotypeTransport
import Foundation

struct DoctorCommand: Command {
    static let syntax = CommandSyntax(
        name: "doctor", summary: "Check the codecs, the libraries, the configuration and the cache.",
        options: [.cacheDirectory, .json], readsSettings: false,
        notes: [
            """
            Each check prints one line: "ok", "note" for a format that this build lacks, or "problem". The status is 1 \
            if there is a problem. Like cache verify, doctor verifies the checksums of the cache and removes damaged \
            images.
            """
        ],
        examples: [
            ("doctor", "when something does not work, and for bug reports"), ("doctor --json", "as JSON"),
        ])

    private let arguments: Arguments

    init(_ arguments: Arguments, _ context: Context) { self.arguments = arguments }

    func run(_ context: Context) async -> ExitStatus {
        let (configuration, arguments) = self.configuration(context)
        var findings = [Finding(.ok, "calotype", "\(Dispatcher.version), \(DoctorCommand.machine)")]
        findings += CodecCheck.findings + [CodecCheck.isolation] + CodecCheck.libraries
        findings += [Finding(.standard), configuration]
        findings += await CacheCheck(directory: arguments.cacheDirectory(context)).findings()
        findings.append(Finding(.ok, "terminal", terminal(context)))
        for finding in findings { context.console.line(finding, isJSON: arguments.has(.json)) }
        return findings.contains { $0.state == .problem } ? .failure : .success
    }

    private static var machine: String {
        #if arch(x86_64)
            let processor = "x86_64"
        #elseif arch(arm64)
            let processor = "arm64"
        #else
            let processor = "unknown processor"
        #endif
        let information = ProcessInfo.processInfo
        let memory = Amounts.bytes(Int(information.physicalMemory))
        let cores = information.activeProcessorCount
        return "\(information.operatingSystemVersionString), \(processor), \(cores) cores, \(memory) of memory"
    }

    /// Completes the arguments from the configuration file and the environment if both are valid.
    private func configuration(_ context: Context) -> (Finding, Arguments) {
        let path = context.settingsPath
        do throws(UsageError) {
            let completed = try Settings(context).completing(arguments)
            let exists = FileManager.default.fileExists(atPath: path)
            let text = exists ? path : "\(path): does not exist; the defaults apply"
            return (Finding(.ok, "configuration", text), completed)
        } catch {
            return (Finding(.problem, "configuration", error.message), arguments)
        }
    }

    private func terminal(_ context: Context) -> String {
        guard Stream.output.isTerminal else { return "standard output is not a terminal" }
        let size = Stream.output.width.map { "\($0) columns" } ?? "unknown width"
        return "\(context.environment["TERM"] ?? "TERM is not set"), \(size)"
    }
}

struct Finding: Record, Hashable, Sendable {
    enum State: String, Encodable, Sendable {
        case ok, note, problem
    }

    let state: State
    let subject: String
    let detail: String

    init(_ state: State, _ subject: String, _ detail: String) {
        (self.state, self.subject, self.detail) = (state, subject, detail)
    }

    /// Whether https servers can be verified.
    init(_ authorities: CertificateAuthorities) {
        let place = authorities.place ?? "known to libcurl alone"
        self = authorities.advice.map { Finding(.problem, "certificates", $0) } ?? Finding(.ok, "certificates", place)
    }

    var text: OutputLine {
        let margin = { (word: String, width: Int) in word + String(repeating: " ", count: max(width - word.count, 1)) }
        return OutputLine(margin(state.rawValue, 9) + margin(subject, 15) + detail)
    }
}
