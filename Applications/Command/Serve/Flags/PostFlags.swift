import CalotypeBase
import CalotypeServer

extension PostOptions {
    /// The flags of images by POST, in the order of the help.
    static let flags: [Option] = [.post, .postOrigin, .postRate, .postResults]
    /// A reload takes all of them.
    static let secretFlags: [Option] = [.postToken]

    /// - Throws: An error for a setting that has no effect without `--post`.
    mutating func read(_ arguments: Arguments) throws(UsageError) {
        isOn = arguments.has(.post)
        for option: Option in [.postOrigin, .postRate, .postResults, .postToken] where !isOn && arguments.has(option) {
            throw arguments.error(option, "it has no effect without --post")
        }
        for given in arguments.allGiven(.postOrigin) {
            guard let origin = Arguments.origin(given.text) else {
                throw arguments.error(given, of: .postOrigin, "expected \"*\" or an origin such as https://example.com")
            }
            origins.insert(origin.lowercasedASCII)
        }
        rate = try arguments.integer(.postRate, in: 1...1_000_000) ?? rate
        resultLimit = try arguments.integer(.postResults, in: 1...64) ?? resultLimit
        token = try arguments.value(.postToken, wanted: "visible ASCII characters") { ClientToken(ByteString($0)) }
    }
}

extension Option {
    static let post = Option(
        "post",
        help: "Take images by POST to /SIGNATURE/OPTIONS/, as the body or as the file of a form. Nothing is stored.")
    static let postOrigin = Option(
        "post-origin", nil, "ORIGIN", isReloaded: true,
        help:
            "Let pages of this origin, such as https://example.com, or of all (*) send images. May be given several times."
    )
    static let postRate = Option(
        "post-rate", nil, "N",
        help: "The images that a client may send in a minute, all of them at once. The default is no limit.")
    static let postResults = Option(
        "post-results", nil, "N", help: "The results that a URL may ask for of one image. The default is 16.")
    static let postToken = Option(
        "post-token", nil, "TEXT", isReloaded: true,
        help: "The secret, in Authorization: Bearer TEXT, with which the URL of a POST needs no exp.")
}
