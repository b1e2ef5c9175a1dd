import CalotypeBase
import Testing

@testable import CalotypeURLs

/// Parses a target and returns its rendition as text: the options of imgproxy, and "@" with the format.
///
/// All renditions show one image only, so that the text leaves out that option.
func rendition(
    _ target: ByteString, accept: [ByteString] = [], limit: Int = 16
) throws(RenditionError) -> ByteString {
    var grammar = ImaginaryGrammar()
    grammar.maxOperations = limit
    let parsed = try grammar.request(ImaginaryTarget(target), method: "POST", accept: accept)
    guard case .rendition(var options) = parsed.task else { return "no rendition" }
    #expect(options.disablesAnimation)
    options.disablesAnimation = false
    return "\(OptionTable.canonicalText(of: options))\(options.format.map { "@\($0.rawValue)" } ?? "")"
}

/// Returns the target of a pipeline, encoded as PHP's `http_build_query` does.
func pipeline(_ operations: ByteString) -> ByteString {
    let encoded = operations.percentEncoded { $0.isAlphanumeric || "-._".utf8.contains($0) || $0 == 0x20 }
    return "/pipeline?operations=\(ByteString(bytes: encoded.bytes.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }))"
}

/// Expects a refusal with 400 whose message has all of these parts.
func expectRefusal(
    _ target: ByteString, naming parts: [String], limit: Int = 16, at location: SourceLocation = #_sourceLocation
) {
    let error = #expect(throws: RenditionError.self, sourceLocation: location) {
        try rendition(target, limit: limit)
    }
    #expect(error?.status == 400, sourceLocation: location)
    for part in parts {
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")", sourceLocation: location)
    }
}
