/// How much of each part of a request the parser takes.
struct RequestLimits: Hashable, Sendable {
    /// Bytes of a method. The default is 64.
    var method = 64
    /// Bytes of a request target. The default is 16 KiB.
    var target = 16 << 10
    /// Bytes of a head, from the request line to the empty line. The default is 64 KiB.
    var head = 64 << 10
    /// Field lines of a head. The default is 1,000.
    var fields = 1000
    /// Bytes of a body, without its transfer coding. The default is 16 MiB.
    var body = 16 << 20
    /// Bytes of the extensions of one chunk. The default is 256.
    var chunkExtensions = 256
    /// Bytes of the extensions of all chunks of a body. The default is 16 KiB.
    var allChunkExtensions = 16 << 10
    /// Bytes of all trailers. The default is 8 KiB.
    var trailers = 8 << 10

    /// Method, target and version with the two spaces between them.
    var requestLine: Int { method + 1 + target + 1 + "HTTP/1.1".utf8.count }
}
