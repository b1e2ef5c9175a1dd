import Calotype
package import CalotypeListener
package import CalotypeURLs

/// The server's port for requests in imaginary's form.
package struct ImaginaryOptions: Sendable {
    package var listener: Listener.Options
    /// The secret that each request has, in the field API-Key or the parameter `key`. If `nil` (the default), none needs it.
    package var key: ClientToken?
    package var grammar = ImaginaryGrammar()
    /// The maximum number of connections, and of bodies at a time. The default is 64.
    package var connectionLimit = 64

    package init(_ listener: Listener.Options) { self.listener = listener }

    /// Returns the place for the images that clients send. A client may be the one server of all users: it may send as many
    /// as all together.
    func uploads(_ held: HeldOriginals, folder: String?, _ basis: ServerBasis) -> Uploads {
        var options = PostOptions()
        (options.limit, options.clientLimit) = (connectionLimit, connectionLimit)
        return Uploads(options, held, folder: folder, limit: basis.loading.bodyLimit, basis)
    }

    /// - Parameter kept: The number of descriptors to keep from clients.
    func listener(
        _ answers: ImaginaryAnswers, keeping kept: Int, _ basis: ServerBasis
    ) throws(ListenerError) -> Listener {
        var options = listener
        options.connectionLimit = max(connectionLimit, options.threads)
        options.takeUploads()
        options.onRefusal = { answers.journal.noteRefusal($0, $1) }
        options.onEnd = { [metrics = basis.metrics] in metrics.ended($1) }
        options.onCut = { answers.noteCut($0, $1) }
        // `drain(delay:limit:)` has the limit.
        options.timeouts.drain = nil
        options.keptDescriptors += kept
        return try Listener(options: options, answer: answers.answer)
    }
}

/// The running port for requests in imaginary's form.
struct ImaginaryPort: Sendable {
    let uploads: Uploads
    let listener: Listener

    init(
        _ options: ImaginaryOptions, _ serving: ServingOptions, over renditions: RenditionTransport,
        uploads: Uploads, basis: ServerBasis
    ) throws(ListenerError) {
        self.uploads = uploads
        let answers = ImaginaryAnswers(options, serving, over: renditions, uploads: uploads, basis: basis)
        listener = try options.listener(answers, keeping: serving.listener.keptDescriptors, basis)
    }
}
