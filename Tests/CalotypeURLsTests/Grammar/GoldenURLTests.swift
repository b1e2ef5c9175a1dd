import CalotypeBase
import Requirements
import Testing

@testable import CalotypeURLs

/// The URLs of client libraries, as they are in templates.
struct GoldenURLTests {
    @Test(.requirement("V45"), arguments: GoldenURL.all)
    func `a URL of a client library has this signature and this meaning`(url: GoldenURL) throws {
        let signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
        #expect(signer.signature(of: url.path) == url.signature)
        let path = try SignedPath(target: "/\(url.signature)\(url.path)")
        #expect(signer.isValid(path.signature, for: path.path))
        let request = try RenditionRequest(path: path.path)
        #expect(request.canonicalText == url.canonicalText)
        #expect(try RenditionRequest(canonicalText: url.canonicalText) == request.asStored)
    }
}

extension RenditionRequest {
    /// The request without what the canonical text leaves out.
    fileprivate var asStored: RenditionRequest {
        var options = options
        (options.expires, options.fileName, options.isAttachment) = (nil, nil, false)
        return RenditionRequest(source: source, options: options)
    }
}
