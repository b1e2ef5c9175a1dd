import Calotype
import CalotypeConsole

struct DemoStage: Sendable {
    typealias Outcome = Result<ImageResponse.Origin, Failure>

    let name: String
    let outcomes: [Outcome]
    let duration: Duration
    let requests: Int
    /// The total size of the photographs' files, in bytes.
    let bytes: Int
    let expectedRequests: Int
    let expectedLayers: [ImageResponse.Origin]

    var row: [String] {
        let seconds = max(duration / .seconds(1), 1e-6)
        let rate = Double(bytes) / seconds / 1e6
        return [
            name, "\(outcomes.count - failures.count)", "\(requests)", time(seconds),
            Amounts.decimal(rate, rate < 100 ? 1 : 0),
        ]
    }

    /// Sentences about unexpected results. The demo is also a test, and fails if there are any.
    var surprises: [String] {
        var surprises = failures.map { "\(name): \($0)" }
        if requests != expectedRequests {
            surprises.append("\(name): the server received \(requests) requests instead of \(expectedRequests)")
        }
        let strays = Set(outcomes.compactMap { try? $0.get().rawValue }).subtracting(expectedLayers.map(\.rawValue))
        if !strays.isEmpty {
            surprises.append("\(name): images came from \(strays.sorted().joined(separator: ", "))")
        }
        return surprises
    }

    private var failures: [Failure] {
        outcomes.compactMap { outcome in
            if case .failure(let failure) = outcome { failure } else { nil }
        }
    }

    private func time(_ seconds: Double) -> String {
        seconds < 0.1 ? "\(Amounts.decimal(seconds * 1000, 2)) ms" : "\(Amounts.decimal(seconds, 2)) s"
    }
}
