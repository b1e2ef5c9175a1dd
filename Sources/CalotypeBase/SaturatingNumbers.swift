// Numbers from outside that may be beyond the range of a whole number, where Swift's own conversions end the process.

extension Int {
    /// Creates the whole number next to another one, toward zero. A number beyond the range becomes its nearest end, and
    /// NaN becomes 0.
    package init(saturating number: Double) {
        self = Int(exactly: number.rounded(.towardZero)) ?? (number.isNaN ? 0 : number > 0 ? .max : .min)
    }
}

extension Int64 {
    /// Creates a file's time in nanoseconds since 1970.
    ///
    /// Any user may set the time of a file. One before the year 1678 or after 2262 becomes the first or last one that fits.
    package init(fileTime seconds: Int, _ nanoseconds: Int) {
        let (whole, overflows) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsAgain) = whole.addingReportingOverflow(Int64(nanoseconds))
        self = overflows || overflowsAgain ? (seconds < 0 ? .min : .max) : sum
    }
}
