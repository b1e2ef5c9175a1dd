package import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP

// The meaning of a URL, without a server.

extension RenditionServer.Options {
    /// Throws the error with which the server would refuse a URL. Signatures are not checked.
    package func check(_ target: ByteString) throws(RenditionError) {
        try request(for: target).checkSources(allowed)
    }

    /// Returns lines about a URL: its canonical text, source and format, and its sizes for some sources.
    package func explanation(of target: ByteString) throws(RenditionError) -> [String] {
        let request = try request(for: target)
        try request.checkSources(allowed)
        let layout = RenditionLayout(
            request.options, longestSide: maxResultSide, watermark: watermark.map(WatermarkImage.init))
        let format = request.options.format?.imageFormat.description ?? "by the client's Accept"
        let sizes = [(1600, 1200), (1200, 1600), (100, 100)].map { width, height in
            let size = PixelSize(width: width, height: height)
            return "\(size) becomes \(layout.geometry(of: size).result)"
        }
        return [
            "canonical text  \(request.canonicalText)", "source          \(request.source)",
            "format          \(format)",
        ]
            + sizes.map { "size            \($0)" }
    }

    private func request(for target: ByteString) throws(RenditionError) -> RenditionRequest {
        let path = try SignedPath(target: target)
        return try grammar.request(for: path.repaired?.path ?? path.path).request
    }
}
