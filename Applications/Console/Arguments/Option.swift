/// An option of a command.
package struct Option: Hashable, Sendable {
    /// The long name, without its two dashes.
    package let name: String
    /// The letter of the short form, without its dash, if there is a short form.
    package let letter: Character?
    /// The placeholder for the value in the help, such as "DIR"; `nil` for a switch, which takes no value.
    package let placeholder: String?
    /// The number of words in the value. The parser joins them with spaces. The default is 1.
    package let words: Int
    package let help: String
    package let offer: Offer
    /// Whether the configuration file and the environment may set the option. They may set all options of a service.
    package let isSetting: Bool
    /// Whether a service takes a new value at a reload, without a restart. The default is `false`.
    package let isReloaded: Bool
    /// Whether the value may contain bytes that are not UTF-8, because it is the path of a file or contains one.
    package let takesBytes: Bool

    package init(
        _ name: String, _ letter: Character? = nil, _ placeholder: String? = nil, words: Int = 1,
        offers offer: Offer = .nothing, isSetting: Bool = false,
        takesBytes: Bool = false, isReloaded: Bool = false, help: String
    ) {
        self.name = name
        self.letter = letter
        self.placeholder = placeholder
        self.words = words
        self.help = help
        self.offer = offer
        self.isSetting = isSetting
        self.isReloaded = isReloaded
        self.takesBytes = takesBytes
    }

    /// Whether no output shows the value, by the option's name in any command.
    package var isSecret: Bool {
        ["key", "salt", "token", "trusted-signatures", "source-header", "admin-token", "front-token"].contains(name)
    }

    /// The name of the environment variable, such as `CALOTYPE_CACHE_DIR`.
    package var variable: String { "CALOTYPE_" + name.uppercased().replacing("-", with: "_") }

    /// The option as the help shows it, such as "-s, --size WxH".
    package var synopsis: String {
        let short = letter.map { "-\($0), " } ?? "    "
        return "\(short)--\(name)\(placeholder.map { " \($0)" } ?? "")"
    }
}

/// The values that a shell's completion offers.
package enum Offer: Hashable, Sendable {
    case nothing, files, directories
    case words([String])
}

// Options that several commands share.
extension Option {
    package static let help = Option("help", "h", help: "Describe this command, with examples.")
    package static let json = Option("json", help: "Print JSON, one object per line.")
    package static let verbose = Option(
        "verbose", "v", isSetting: true,
        help: "Print each image's origin, the cache's decision and its rule. Also reports problems that fail no image.")
    package static let print0 = Option(
        "print0", help: "End each printed path with a NUL byte instead of a newline, for xargs -0.")
    package static let overwrite = Option("overwrite", help: "Replace existing files.")
    package static let cacheDirectory = Option(
        "cache-dir", nil, "DIR", offers: .directories, isSetting: true,
        help: "The cache's directory. The default is $XDG_CACHE_HOME/calotype, or ~/.cache/calotype.")
}
