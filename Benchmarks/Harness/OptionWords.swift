/// The words of a command line that are still to be read.
extension ArraySlice<String> {
    /// Takes the value of an option.
    mutating func value(of option: String) throws(UsageError) -> String {
        guard let word = popFirst() else { throw UsageError(message: "\(option) needs a value") }
        return word
    }

    /// Takes the value of an option, a number in a range.
    mutating func number(of option: String, in range: ClosedRange<Double>) throws(UsageError) -> Double {
        guard let number = Double(try value(of: option)), range.contains(number) else {
            throw UsageError(message: "\(option) needs a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
