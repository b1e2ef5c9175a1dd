/// The maximum sizes of the parts of a request.
struct RequestLimits: Hashable, Sendable {
    /// The length of a method, in bytes. The default is 64.
    var method = 64
    /// The length of a request target, in bytes. The default is 16 KiB.
    var target = 16 << 10
    /// The length of a head, from the request line to the empty line, in bytes. The default is 64 KiB.
    var head = 64 << 10
    /// The number of field lines in a head. The default is 1,000.
    var fields = 1000
    /// The length of a body without its transfer coding, in bytes. The default is 16 MiB.
    var body = 16 << 20
    /// The length of the extensions of one chunk, in bytes. The default is 256.
    var chunkExtensions = 256
    /// The length of the extensions of all chunks of a body, in bytes. The default is 16 KiB.
    var allChunkExtensions = 16 << 10
    /// The length of all trailers, in bytes. The default is 8 KiB.
    var trailers = 8 << 10
    /// Whether there may be trailers at all. The default is `true`.
    var takesTrailers = true

    /// The maximum length of method, target and version, with the two spaces between them, in bytes.
    var requestLine: Int { method + 1 + target + 1 + "HTTP/1.1".utf8.count }
}
