import Calotype
import CalotypeBase
import Foundation

/// The names that a run has taken. Each is unique: the second `photo.jpg` becomes `photo-2.jpg`.
///
/// Names that differ only in case or in the encoding of accents count as equal, as on some file systems. Callers claim
/// names in the order of the command line, so that every run has the same names.
final class FileNames: Sendable {
    private let taken = Locked(Set<ByteString>())

    func claim(_ name: String) -> String {
        taken.withLock { taken in
            if taken.insert(FileNames.key(ByteString(name))).inserted { return name }
            let (stem, suffix) = FileName.parts(name)
            var number = 2
            while true {
                let candidate = FileName.shortened(stem, to: FileName.lengthLimit - 30) + "-\(number)" + suffix
                if taken.insert(FileNames.key(ByteString(candidate))).inserted { return candidate }
                number += 1
            }
        }
    }

    /// Takes a name. Returns `false` if it was already taken.
    func take(_ name: ByteString) -> Bool {
        taken.withLock { $0.insert(FileNames.key(name)).inserted }
    }

    static func key(_ name: ByteString) -> ByteString {
        guard let text = name.utf8Text else { return name.lowercasedASCII }
        return ByteString(text.precomposedStringWithCanonicalMapping.lowercased())
    }
}
