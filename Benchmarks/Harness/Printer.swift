import Foundation

/// Prints figures as they come: a table for people, one JSON object per line for programs, or none.
enum Printer: Sendable {
    case table, json, silent

    func begin() {
        guard case .table = self else { return }
        line(row("scenario", "ours", "baseline", "", "ratio", "spread", "bar", ""))
    }

    func figure(_ figure: Figure) {
        switch self {
        case .table: line(row(figure))
        case .json: line(object(figure))
        case .silent: break
        }
    }

    /// Prints a note on standard error, apart from the figures.
    func note(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private func line(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private func row(_ figure: Figure) -> String {
        let sign =
            switch figure.bar {
            case .atLeast: "≥"
            case .atMost: "≤"
            case .exactly: "="
            }
        // Similarities are close to 1, and differ only in the digits after the decimal point.
        func text(_ value: Double) -> String {
            figure.unit == "SSIM" ? String(format: "%.4f", value) : short(value)
        }
        return row(
            figure.name, "\(text(figure.ours)) \(figure.unit)", "\(text(figure.baseline)) \(figure.unit)",
            figure.baselineName, text(figure.ratio),
            "\(short(figure.spread.lowerBound))–\(short(figure.spread.upperBound))",
            "\(sign) \(text(figure.bar.limit))", figure.isReached ? "ok" : "SHORT")
    }

    private func row(
        _ name: String, _ ours: String, _ baseline: String, _ baselineName: String, _ ratio: String, _ spread: String,
        _ bar: String, _ verdict: String
    ) -> String {
        let cells = [
            name.padded(to: 27), ours.padded(to: 18), baseline.padded(to: 18), baselineName.padded(to: 36),
            ratio.padded(to: 8), spread.padded(to: 14), bar.padded(to: 8), verdict,
        ]
        return cells.joined()
    }

    /// Returns the value with about three significant digits.
    private func short(_ value: Double) -> String {
        switch abs(value) {
        case 100...: String(format: "%.0f", value)
        case 10..<100: String(format: "%.1f", value)
        case 0.1..<10: String(format: "%.2f", value)
        case 0: "0"
        default: String(format: "%.3f", value)
        }
    }

    private func object(_ figure: Figure) -> String {
        let object = FigureObject(
            name: figure.name, ours: figure.ours, baseline: figure.baseline, baselineName: figure.baselineName,
            ratio: figure.ratio, spread: [figure.spread.lowerBound, figure.spread.upperBound], unit: figure.unit,
            better: figure.bar.better, bar: figure.bar.limit, reached: figure.isReached)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(object) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// The object that `--json` prints for a figure.
private struct FigureObject: Encodable {
    let name: String
    let ours: Double
    let baseline: Double
    let baselineName: String
    let ratio: Double
    let spread: [Double]
    let unit: String
    let better: String
    let bar: Double
    let reached: Bool
}

extension String {
    /// Returns the text followed by spaces up to `width` characters, at least one space.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 1))
    }
}
