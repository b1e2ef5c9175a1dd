import CalotypeBase
import CalotypeHTTP
import Foundation

/// The purges of the far store that a near store has: all until a time, and some of the last minute.
///
/// The text is a line with the time, and one for each name.
struct KnownFarPurges: Sendable {
    /// In seconds since 1970; 0 if nothing is known.
    var until = 0.0
    /// The names of purges about or after this time.
    var names: Set<FarPurgeName> = []

    init(until: Double = 0, names: Set<FarPurgeName> = []) { (self.until, self.names) = (until, names) }

    /// Returns `nil` for a damaged text.
    init?(_ text: Data) {
        let lines = ByteString(bytes: text).split(separator: 0x0A)
        guard text.last == 0x0A, let until = lines.first.flatMap({ Double($0.string) }), HTTPDate.years.contains(until)
        else {
            return nil
        }
        self.init(until: until, names: Set(lines.dropFirst().compactMap { FarPurgeName($0) }))
    }

    var text: Data {
        let lines = ["\(until)"] + names.map(\.text)
        return Data(lines.map { "\($0)\n" as ByteString }.joined().bytes)
    }
}
