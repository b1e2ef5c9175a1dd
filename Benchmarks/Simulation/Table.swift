import Foundation

/// The tables of the simulation, on standard output.
enum Table {
    static func title(_ title: String, _ note: String) { print("\n\(title)\n\(note)") }

    static func row(_ cells: [String]) { print(cells.map { $0.padded(to: 16) }.joined()) }

    /// Returns a number with this many digits after the decimal point.
    static func text(_ value: Double, places: Int = 3) -> String { String(format: "%.\(places)f", value) }

    /// Returns a whole number with two significant digits, such as 3400.
    static func rounded(_ value: Double) -> String {
        guard value >= 10 else { return text(value, places: 1) }
        let unit = pow(10, (log10(value)).rounded(.down) - 1)
        return text((value / unit).rounded() * unit, places: 0)
    }

    /// Returns a power of ten, such as 10^6.
    static func power(_ value: Double) -> String { "10^\(Int(log10(value).rounded()))" }
}
