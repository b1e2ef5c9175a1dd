import CalotypeBase
import CalotypeListener
import CalotypeServer
import CalotypeURLs

extension ImaginaryOptions {
    /// The flags of the port for imaginary's requests, in the order of the help.
    static let flags: [Option] = [.imaginary, .imaginaryKeyFile, .maxOperations]

    /// Creates the options of the port, or `nil` without `--imaginary`.
    ///
    /// - Parameter serves: Whether the server is to run. Other tasks may run as a user who cannot read the key.
    /// - Throws: An error without a key or `--insecure`, and for a setting that has no effect without `--imaginary`.
    init?(_ arguments: Arguments, serves: Bool) throws(UsageError) {
        guard let address = try arguments.address(.imaginary) else {
            for option: Option in [.imaginaryKeyFile, .maxOperations] where arguments.has(option) {
                throw arguments.error(option, "it has no effect without --imaginary")
            }
            return nil
        }
        self.init(Listener.Options(host: address.host, port: address.port))
        grammar.maxOperations = try arguments.integer(.maxOperations, in: 1...100) ?? grammar.maxOperations
        guard serves else { return }
        key = try arguments.imaginaryKey()
        guard key == nil else { return }
        guard arguments.has(.insecure) else {
            throw arguments.error(
                .imaginary,
                "there is no key, so that anyone may have images made there: name its file by --imaginary-key-file, or "
                    + "permit it by --insecure")
        }
        guard address.isLoopback || arguments.has(.allowAnyHost) else {
            throw arguments.error(
                .imaginary,
                "without a key, \(address) lets everyone who can reach it have images made: --allow-remote permits it")
        }
    }
}

extension Arguments {
    /// Returns the key in the file of `--imaginary-key-file`; `nil` if the option was not given.
    fileprivate func imaginaryKey() throws(UsageError) -> ClientToken? {
        guard let path = path(.imaginaryKeyFile) else { return nil }
        guard let file = try? InputFile.read(path, limit: 4096) else {
            throw error(.imaginaryKeyFile, "there is no such file, or it cannot be read")
        }
        guard let key = ClientToken(ByteString(bytes: file).withoutLineEnd) else {
            throw error(.imaginaryKeyFile, "expected a line of visible ASCII characters, without spaces")
        }
        return key
    }
}

extension ByteString {
    /// The text without one end of a line behind it.
    fileprivate var withoutLineEnd: ByteString {
        var bytes = bytes
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return ByteString(bytes: bytes)
    }
}

extension Option {
    static let imaginary = Option(
        "imaginary", nil, "ADDRESS:PORT",
        help:
            "Answer the requests of imaginary at this address or port, such as those of Nextcloud for previews: images "
            + "by POST, of which nothing is stored.")
    static let imaginaryKeyFile = Option(
        "imaginary-key-file", nil, "FILE", offers: .files, takesBytes: true,
        help:
            "The secret of these requests, in the field API-Key or the parameter key. Without it, --insecure is needed."
    )
    static let maxOperations = Option(
        "max-operations", nil, "N",
        help: "The operations that a pipeline of imaginary may have. The default is 16.")
}
