import CalotypeServer

extension RenditionServer.Options {
    mutating func readSourceLimits(_ arguments: Arguments) throws(UsageError) {
        maxSourcePixels =
            try arguments.value(.maxSource, wanted: "megapixels above 0, such as 50") { text in
                Double(text).flatMap { (0.000_001...100_000).contains($0) ? Int($0 * 1_000_000) : nil }
            } ?? maxSourcePixels
        maxSourceBytes =
            try arguments.value(.maxSourceSize, wanted: "a size such as 20MB") { text in
                QuantityParser.bytes(text).flatMap { $0 > 0 ? $0 : nil }
            } ?? maxSourceBytes
        maxDecodeBytes = try arguments.decodeLimit() ?? maxDecodeBytes
    }
}

extension Option {
    static let maxSource = Option(
        "max-source", nil, "MP", help: "Refuse sources of more megapixels. The default is 50.")
    static let maxSourceSize = Option(
        "max-source-size", nil, "SIZE", help: "Refuse sources of more bytes. The default is 50MB.")
}
