import CalotypeBase

/// The sections of a file such as `~/.aws/credentials` or `~/.aws/config`: names and values under `[profile]`.
///
/// Lines that begin with "#" or ";" are comments. A line that is indented more than the value above belongs to it, and is
/// skipped: no setting that is used here has such lines.
struct CredentialsFile: Hashable, Sendable {
    private var sections: [ByteString: [ByteString: ByteString]] = [:]

    init(_ text: ByteString) {
        var section: ByteString?
        var depth: Int?
        for line in text.split(separator: 0x0A) {
            let indent = line.bytes.prefix { $0.isBlank }.count
            let line = line.withoutCarriageReturn.trimmed
            guard !line.isEmpty, !line.hasPrefix("#"), !line.hasPrefix(";"), indent <= depth ?? .max else { continue }
            if line.hasPrefix("["), let end = line.bytes.firstIndex(of: UInt8(ascii: "]")) {
                section = Self.name(of: ByteString(bytes: line.bytes[1..<end]).trimmed)
                depth = nil
                continue
            }
            depth = indent
            let pair = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard let section, pair.count == 2 else { continue }
            sections[section, default: [:]][pair[0].trimmed.lowercasedASCII] = pair[1].trimmed
        }
    }

    /// In `config`, the section of each profile but the default one begins with the word "profile".
    private static func name(of section: ByteString) -> ByteString {
        let words = section.split(separator: UInt8(ascii: " "), maxSplits: 1)
        return words.count == 2 && words[0] == "profile" ? words[1].trimmed : section
    }

    /// The value of a setting in a profile, or `nil` without one.
    subscript(_ profile: ByteString, _ name: ByteString) -> ByteString? {
        sections[profile]?[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The credentials of a profile, or `nil` if its ID or its secret is missing.
    func credentials(of profile: ByteString) -> SigV4.Credentials? {
        guard let id = self[profile, "aws_access_key_id"], let secret = self[profile, "aws_secret_access_key"] else {
            return nil
        }
        return SigV4.Credentials(id: id, secret: secret, token: self[profile, "aws_session_token"])
    }
}

extension ByteString {
    fileprivate var withoutCarriageReturn: ByteString {
        hasSuffix("\r") ? ByteString(bytes: bytes.dropLast()) : self
    }
}
