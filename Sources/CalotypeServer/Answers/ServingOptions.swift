package import CalotypeBase
package import CalotypeListener
package import CalotypeURLs

/// The URLs that a server answers, and its answers to clients.
package struct ServingOptions: Sendable {
    package var listener = Listener.Options()
    /// Checks signatures. If `nil`, the server accepts any signature.
    package var signer: URLSigner?
    package var grammar = RenditionGrammar()
    /// The formats that a client may get because it accepts them, if the URL names no format. The default is both;
    /// with neither, results do not depend on the client.
    package var negotiated = AcceptedFormats([.webp, .avif])
    /// The formats that a client gets because it accepts them, even if the URL names another one. The default is neither.
    package var enforced = AcceptedFormats()
    /// The signatures that are accepted for every URL. Empty by default.
    package var trustedSignatures: Set<ByteString> = []
    /// The secret that requests for renditions need. The default, `nil`, is none.
    package var token: ClientToken?
    /// The path in front of all URLs, such as "/img". Empty by default.
    package var pathPrefix: ByteString = ""
    /// A path that is answered as "/health" is, besides that.
    package var healthPath: ByteString?
    /// Whether answers name the source on the web as the canonical URL (RFC 6596). The default is `false`.
    package var namesSource = false
    /// The field that names the tags of each result, for a purge in a cache in front. The default, `nil`, is none.
    package var tagField: TagField?
    package var fallback = FallbackAnswer()
    /// The images that clients send. By default, none are taken.
    package var post = PostOptions()
    package var clients = ClientFinder()
    /// The maximum number of connections with clients, if it is lower than memory and descriptors permit.
    package var clientLimit = Int.max
    /// The other origin whose scripts may read responses, or "*" for all origins. The default, `nil`, permits none.
    package var scriptOrigin: ByteString?
    /// Called with the name of each ignored URL option.
    package var noteIgnored: @Sendable (String) -> Void = { _ in }

    /// Makes the listener, with the limits that the memory permits.
    ///
    /// - Parameters:
    ///   - answers: Note the requests that are refused, and the answers that are broken off.
    ///   - kept: The number of descriptors to keep from clients, besides those that the options name.
    func listener(
        _ answers: RenditionAnswers, keeping kept: Int, _ basis: ServerBasis
    ) throws(ListenerError) -> Listener {
        var options = listener
        options.connectionLimit = max(min(options.connectionLimit, basis.shares.connectionLimit), options.threads)
        if post.isOn {
            options.takeUploads()
        } else {
            // No request has a body: the head, with what the kernel has not taken yet, is all that a connection holds.
            options.bodyLimit = min(options.bodyLimit, 16 << 10)
        }
        options.onRefusal = { answers.journal.noteRefusal($0, $1) }
        options.onEnd = { [metrics = basis.metrics] in metrics.ended($1) }
        options.onCut = { answers.noteCut($0, $1) }
        // `drain(delay:limit:)` has the limit.
        options.timeouts.drain = nil
        options.keptDescriptors += kept
        return try Listener(options: options, answer: answers.answer)
    }
}

extension Listener.Options {
    /// Has bodies read as they arrive: images, and the parts of a form around them. ``Uploads`` limits their sizes, so that a
    /// refusal has the form of other failures.
    mutating func takeUploads() {
        streamsBodies = true
        takesTrailers = false
        bodyLimit = 1 << 40
    }
}
