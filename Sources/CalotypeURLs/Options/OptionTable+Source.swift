import CalotypeBase

// The options of the source: its digest, and the image to use if it fails.

extension OptionTable {
    static let source: [OptionRow] = [
        OptionRow("hashsum", "hs", takes: 2, write: { $0.hashsum.map { "\($0.kind.rawValue):\($0.digest)" } }) {
            (options, arguments) throws(RenditionError) in
            guard try arguments.text(0) != "none" else { return options.hashsum = nil }
            options.hashsum = try hashsum(arguments)
        },
        OptionRow("fallback_image_url", "fiu", takes: 1, write: { $0.fallback.map { ByteString(base64: $0.bytes) } }) {
            (options, arguments) throws(RenditionError) in
            guard !arguments.isOmitted(0) else { return options.fallback = nil }
            guard let url = try arguments.text(0).base64Decoded, !url.contains(0) else {
                throw arguments.error("it is not a URL in base64")
            }
            options.fallback = url.normalizedSource
        },
    ]

    private static func hashsum(_ arguments: OptionArguments) throws(RenditionError) -> RenditionOptions.Hashsum {
        let name = try arguments.text(0)
        guard let kind = SourceDigest(rawValue: name.string) else {
            let names = SourceDigest.allCases.map(\.rawValue).joined(separator: ", ")
            throw arguments.error("\(name.quoted) is not one of none, \(names)")
        }
        let digest = try arguments.text(1).lowercasedASCII
        let isHexadecimal = digest.withBytes {
            $0.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
        guard isHexadecimal, digest.count == 2 * kind.byteCount else {
            throw arguments.error("a digest of \(kind.rawValue) has \(2 * kind.byteCount) hexadecimal digits")
        }
        return RenditionOptions.Hashsum(kind: kind, digest: digest)
    }
}
