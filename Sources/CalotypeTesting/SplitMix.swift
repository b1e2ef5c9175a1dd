/// A random number generator that produces the same numbers for the same seed on every machine.
package struct SplitMix: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// Creates a generator. Similar seeds produce unrelated numbers.
    package init(seed: UInt64) { state = seed }

    @inlinable package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `limit` - 1.
    package mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// Returns a number from 0 up to, but not including, 1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
