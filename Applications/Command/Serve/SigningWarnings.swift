import CalotypeBase
import Foundation

/// The weaknesses of a server's signatures, a line each: with them, others can sign URLs.
struct SigningWarnings: Sendable {
    /// The length below which a signature can be guessed by requests, and a key by trial from one URL, in bytes.
    static let safeSignature = 8
    static let safeKey = 16

    let lines: [String]

    init(_ arguments: Arguments, _ context: Context) {
        let given = arguments.allGiven(.key)
        guard !given.isEmpty else {
            lines = []
            return
        }
        let length = arguments[.signatureSize].flatMap { Int($0) } ?? 32
        var found: [String] = []
        if length < Self.safeSignature {
            found.append(
                "signatures of \(Amounts.count(length, "byte")) can be guessed: "
                    + "signature-size should be \(Self.safeSignature) or more")
        }
        let keys = given.flatMap { ByteString($0.text).split(separator: UInt8(ascii: ",")).map(\.trimmed) }
        for (index, key) in keys.enumerated() where key.count / 2 < Self.safeKey {
            found.append(
                "key \(index + 1) has \(Amounts.count(key.count / 2, "byte")), so that it can be found by trial: "
                    + "openssl rand -hex 32 prints one that cannot")
        }
        var paths: [LocalPath] = []
        for path in given.compactMap({ Self.file(of: $0, context) }) where !paths.contains(path) { paths.append(path) }
        for path in paths where path.isReadableByOthers {
            found.append(
                "other users of this machine can read the key in \(path): chmod o-r ends that")
        }
        lines = found
    }

    /// The file that a key comes from, or `nil` for one of the environment.
    private static func file(of given: GivenValue, _ context: Context) -> LocalPath? {
        if let reference = given.reference, reference.hasPrefix("@") {
            return try? ValueReference(context).path(of: reference)
        }
        if case .file(let path, _) = given.location { return LocalPath(text: path) }
        return nil
    }
}
