import Dispatch
import Foundation

/// `calotype-benchmarks`: measures each scenario beside its baseline in the same run.
@main
struct Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Measure outside any task, because GTK's loop must own the main thread.
        if case .window(let subject, let isQuick) = ChildRole(arguments) { subject.measure(isQuick: isQuick) }
        Task {
            await run(arguments)
            exit(0)
        }
        dispatchMain()
    }

    private static func run(_ arguments: [String]) async {
        do {
            if let role = ChildRole(arguments) { return try await role.play() }
            if arguments.first == "--soak" { return try await soak(SoakOptions(arguments.dropFirst())) }
            if arguments.first == "simulate" { return try await simulate(SimulationOptions(arguments.dropFirst())) }
            try await run(Arguments(arguments))
        } catch let error as UsageError {
            fail(error.message, status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    /// Runs off the main actor: hops through libdispatch's main queue would add to every measurement.
    @concurrent
    private static func run(_ arguments: Arguments) async throws {
        let printer = arguments.isJSON ? Printer.json : .table
        switch arguments.action {
        case .help: print(Arguments.help)
        case .gate:
            printer.begin()
            guard await FigureGate(printer).holds() else { throw BenchError("a figure is beyond its limit, twice") }
        case .list: for scenario in Scenario.all { print("\(scenario.name.padded(to: 16))\(scenario.summary)") }
        case .measure(let scenarios):
            let bench = Bench(isQuick: arguments.isQuick, printer: printer)
            let failures = await bench.run(scenarios)
            if failures > 0 { exit(1) }
        }
    }

    @concurrent
    private static func soak(_ options: SoakOptions) async throws {
        guard !options.isHelp else { return print(SoakOptions.help) }
        guard try await Soak(options).run() else { exit(1) }
    }

    @concurrent
    private static func simulate(_ options: SimulationOptions) async throws {
        guard !options.isHelp else { return print(SimulationOptions.help) }
        guard Simulation(options: options).run() else { exit(1) }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("calotype-benchmarks: \(message)\n".utf8))
        exit(status)
    }
}
