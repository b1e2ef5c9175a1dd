package import CalotypeBase

/// The images that clients send: whether any are taken, from whom, and how many at a time.
package struct PostOptions: Sendable {
    /// Whether images are taken. The default is `false`.
    package var isOn = false
    /// The secret that takes the place of an expiry in signed URLs. The default, `nil`, is none.
    package var token: ClientToken?
    /// The other origins whose pages may send images; "*" for all. Empty by default.
    package var origins: Set<ByteString> = []
    /// The number of images that a client may send in a minute, all of them at once if it likes; 0 (the default) for no limit.
    package var rate = 0
    /// The maximum number of bodies of all clients that arrive, or wait to be decoded, at a time. The default is 64.
    package var limit = 64
    /// The maximum number of those of one client. The default is 16.
    package var clientLimit = 16
    /// The maximum number of results of one image. The default is 16.
    package var resultLimit = 16
    /// The time within which a body has to arrive, however fast its client sends. The default is five minutes.
    package var deadline = Duration.seconds(300)
    /// The size of all bodies in files, in bytes. The default is 1 GB.
    package var spoolBytes = 1_000_000_000

    package init() {}
}
