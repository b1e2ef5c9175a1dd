import Foundation

/// The result of a soak, as text.
struct SoakReport {
    let options: SoakOptions
    let requests: Int
    let events: [String: Int]
    let purges: SoakChanges.Purges
    let tally: SoakJudge.Tally
    let server: SoakServer
    let memory: SoakMemory
    let mix: SoakMix.Result

    private var memoryVerdict: SoakMemory.Verdict? { memory.verdict(of: \.bytes, slack: 8e6) }
    private var descriptorVerdict: SoakMemory.Verdict? { memory.verdict(of: { Double($0.descriptors) }, slack: 64) }

    /// `false` for a wrong body, growing memory, a server that ended by itself, or a limit that cuts an answer.
    var isGood: Bool {
        tally.wrongCount == 0 && mix.faults.isEmpty && memoryVerdict?.isFlat != false && events[SoakFaults.ended] == nil
    }

    var text: String {
        [head, wrong, statuses, unexpected, causes, problems, faults, growth, limits, course].joined(separator: "\n")
    }

    private var head: String {
        "\(requests) requests in \(options.minutes) minutes, \(server.starts) starts of the server, seed \(options.seed)"
    }

    private var wrong: String {
        let lines = tally.wrong.map { "  \($0)" }
        return (["wrong bodies: \(tally.wrongCount)"] + lines).joined(separator: "\n")
    }

    private var statuses: String {
        let list = tally.statuses.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        return """
            statuses: \(list.joined(separator: ", "))
            without an answer: \(tally.lost), and \(tally.killed) because of a kill
            """
    }

    private var unexpected: String {
        let lines = tally.unexpected.sorted { $0.key < $1.key }.map { kind, example in
            "  \(example.count) × \(kind), \(example.url)"
        }
        return (["unexpected statuses: \(lines.isEmpty ? "none" : "")"] + lines).joined(separator: "\n")
    }

    private var causes: String { list("5xx by cause, from the log", server.causes) }
    private var problems: String { list("other lines of the log", server.problems) }

    private func list(_ title: String, _ counts: [String: Int]) -> String {
        let lines = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.value) × \($0.key)" }
        return (["\(title): \(lines.isEmpty ? "none" : "")"] + lines).joined(separator: "\n")
    }

    private var faults: String {
        let list = events.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        return """
            faults: \(list.joined(separator: ", "))
            purges: \(purges.hard) hard, \(purges.soft) soft, \(purges.failed) failed
            """
    }

    private var growth: String {
        let peak = memory.all.map(\.bytes).max() ?? 0
        return """
            memory (PSS of server and workers): \(describe(memoryVerdict, unit: 1e6)) MB, peak \(Int(peak / 1e6)) MB
            descriptors: \(describe(descriptorVerdict, unit: 1))
            """
    }

    private var limits: String {
        let list = mix.statuses.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        let faults = mix.faults.prefix(20).map { "  \($0)" }
        return
            ([
                "around the limits: \(mix.operations) requests, \(list.joined(separator: ", ")), \(mix.faults.count) faults"
            ] + faults)
            .joined(separator: "\n")
    }

    private func describe(_ verdict: SoakMemory.Verdict?, unit: Double) -> String {
        guard let verdict else { return "not judged, the server's last life was too short;" }
        let change = "from \(Int(verdict.first / unit)) to \(Int(verdict.last / unit))"
        return "\(verdict.isFlat ? "flat" : "GROWING"), \(change)"
    }

    /// About thirty samples: time in minutes, start of the server, memory, descriptors.
    private var course: String {
        let all = memory.all
        let step = max(all.count / 30, 1)
        let lines = stride(from: 0, to: all.count, by: step).map { index in
            let sample = all[index]
            let cells = [
                String(format: "%.1f", sample.time / 60), "\(sample.life)", "\(Int(sample.bytes / 1e6))",
                "\(sample.descriptors)",
            ]
            return "  " + cells.map { $0.padded(to: 9) }.joined()
        }
        return (["  minute   start    MB       descriptors"] + lines).joined(separator: "\n")
    }
}
