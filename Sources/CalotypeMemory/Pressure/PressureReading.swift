/// Linux's report on stalls for lack of memory: the first line of `/proc/pressure/memory` or `memory.pressure`.
package struct PressureReading: Equatable {
    /// Per cent of the last ten seconds in which at least one task waited for memory.
    package var stalled: Double

    /// Returns `nil` if the text has no line such as "some avg10=0.12 avg60=0.05 avg300=0.01 total=12345".
    package init?(parsing text: String) {
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            for field in line.split(separator: " ") where field.hasPrefix("avg10=") {
                guard let value = Double(field.dropFirst(6)), value.isFinite, value >= 0 else { return nil }
                stalled = value
                return
            }
        }
        return nil
    }
}
