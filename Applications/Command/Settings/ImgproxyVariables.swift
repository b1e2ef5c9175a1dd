import CalotypeBase

/// imgproxy's environment variables that have an equal among the settings of `calotype serve`.
struct ImgproxyVariables {
    /// One variable.
    struct Row: Sendable {
        let variable: String
        /// The name of the option.
        let option: String
        /// The end of the error message "expected …".
        let wanted: String
        /// Returns the values of the option: none if the variable asks for the default, `nil` if it is wrong.
        let values: @Sendable (String) -> [String]?

        fileprivate init(
            _ name: String, _ option: String, wanted: String = "another value",
            values: @escaping @Sendable (String) -> [String]? = { [$0] }
        ) {
            (variable, self.option, self.wanted, self.values) = ("IMGPROXY_\(name)", option, wanted, values)
        }
    }

    private let context: Context

    init(_ context: Context) { self.context = context }

    /// Returns the values of settings by the names of their options.
    func values(for arguments: Arguments) throws(UsageError) -> [String: [GivenValue]] {
        var values: [String: [GivenValue]] = [:]
        for row in Self.rows {
            guard let text = context.environment[row.variable]?.nonEmpty,
                let option = arguments.syntax.settings.first(where: { $0.name == row.option })
            else { continue }
            let given = GivenValue(text: text, location: .environment(row.variable))
            for value in try ValueReference(context).values(of: given, as: option, arguments) {
                guard let equal = row.values(value.text) else {
                    throw arguments.error(value, of: option, "expected \(row.wanted)")
                }
                values[row.option, default: []] += equal.map { $0 == value.text ? value : value.converted(to: $0) }
            }
        }
        if let formats = values["negotiate"] { values["negotiate"] = [Self.united(formats)] }
        return values.filter { !$0.value.isEmpty }
    }

    /// Returns the names of the variables that are set and have no equal, in alphabetical order.
    func withoutEqual(_ settings: [Option]) -> [String] {
        let names = Set(settings.map(\.name))
        let known = Set(Self.rows.filter { names.contains($0.option) }.map(\.variable))
        return context.environment.filter { $0.key.hasPrefix("IMGPROXY_") && !$0.value.isEmpty }.keys
            .filter { !known.contains($0) }.sorted()
    }

    /// Returns one value for the variables of single formats.
    private static func united(_ given: [GivenValue]) -> GivenValue {
        let names = ["avif", "webp"].filter { name in given.contains { $0.text == name } }
        return given[given.count - 1].converted(to: names.isEmpty ? "none" : names.joined(separator: ","))
    }
}

extension GivenValue {
    /// Returns another value with the location of this one. Messages show the text that the user has written.
    fileprivate func converted(to text: String) -> GivenValue {
        GivenValue(bytes: ByteString(text), location: location, reference: reference ?? bytes)
    }
}

extension ImgproxyVariables {
    static let rows: [Row] = signatures + server + sources + limits + results

    private static let signatures = [
        Row("KEY", "key"), Row("SALT", "salt"), Row("SIGNATURE_SIZE", "signature-size"),
    ]

    private static let server = [
        // Without a host, imgproxy listens at all addresses.
        Row("BIND", "listen") { [$0.hasPrefix(":") ? "0.0.0.0\($0)" : $0] },
        limit("REQUESTS_QUEUE_SIZE", "queue"),
        Row("TTL", "ttl"),
        flag("CACHE_CONTROL_PASSTHROUGH", "freshness", on: ["obey"], off: ["ignore"]),
        Row("ALLOW_ORIGIN", "cors"),
    ]

    private static let sources = [
        Row("LOCAL_FILESYSTEM_ROOT", "root"),
        Row("ALLOWED_SOURCES", "allow-source", wanted: "prefixes with commas, with * in a host alone") { prefixes($0) },
        flag("ALLOW_LOOPBACK_SOURCE_ADDRESSES", "allow-address", on: ["127.0.0.0/8", "::1"]),
        flag("ALLOW_LINK_LOCAL_SOURCE_ADDRESSES", "allow-address", on: ["169.254.0.0/16", "fe80::/10"]),
        flag(
            "ALLOW_PRIVATE_SOURCE_ADDRESSES", "allow-address",
            on: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]),
    ]

    private static let limits = [
        limit("MAX_SRC_RESOLUTION", "max-source"), limit("MAX_SRC_FILE_SIZE", "max-source-size"),
        limit("MAX_RESULT_DIMENSION", "max-result"),
        urlOption("MAX_ANIMATION_FRAMES", "maf"), urlOption("MAX_ANIMATION_FRAME_RESOLUTION", "mafr"),
    ]

    private static let results = [
        Row("PRESETS", "preset") { list($0) }, Row("PRESETS_PATH", "presets"),
        flag("ONLY_PRESETS", "presets-only", on: ["yes"], off: ["no"]),
        urlOption("QUALITY", "q"),
        Row("FORMAT_QUALITY", "defaults", wanted: "qualities such as jpeg=70,avif=40") { qualities($0) },
        urlFlag("JPEG_PROGRESSIVE", "jpgo"), urlOption("WEBP_COMPRESSION", "webpo"),
        Row("SKIP_PROCESSING_FORMATS", "defaults") { ["skp:\(list($0).joined(separator: ":"))"] },
        urlFlag("AUTO_ROTATE", "ar"), urlFlag("KEEP_COPYRIGHT", "kcr"), urlFlag("STRIP_COLOR_PROFILE", "scp"),
        urlFlag("RETURN_ATTACHMENT", "att"),
        Row("AVIF_SPEED", "avif-speed"),
        flag("AUTO_AVIF", "negotiate", on: ["avif"], off: ["none"]),
        flag("AUTO_WEBP", "negotiate", on: ["webp"], off: ["none"]),
        flag("ENABLE_AVIF_DETECTION", "negotiate", on: ["avif"], off: ["none"]),
        flag("ENABLE_WEBP_DETECTION", "negotiate", on: ["webp"], off: ["none"]),
        Row("WATERMARK_PATH", "watermark"),
    ]

    // MARK: Forms of values

    /// A limit, which 0 turns off in imgproxy: the server then has its own.
    private static func limit(_ name: String, _ option: String) -> Row {
        Row(name, option) { Double($0) == 0 ? [] : [$0] }
    }

    private static func flag(_ name: String, _ option: String, on: [String], off: [String] = []) -> Row {
        Row(name, option, wanted: "true or false") { text in isOn(text).map { $0 ? on : off } }
    }

    /// A default of an option that URLs may have, too.
    private static func urlOption(_ name: String, _ option: String) -> Row {
        Row(name, "defaults") { ["\(option):\($0)"] }
    }

    private static func urlFlag(_ name: String, _ option: String) -> Row {
        flag(name, "defaults", on: ["\(option):1"], off: ["\(option):0"])
    }

    /// Parses a flag as Go does.
    private static func isOn(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "t": true
        case "f": false
        default: Bool(switch: text)
        }
    }

    private static func list(_ text: String) -> [String] {
        ByteString(text).split(separator: UInt8(ascii: ",")).map(\.trimmed.string).filter { !$0.isEmpty }
    }

    /// Returns the prefixes of URLs; `nil` if one has a * in its path. Files are allowed by the root alone.
    private static func prefixes(_ text: String) -> [String]? {
        let prefixes = list(text).filter { !$0.hasPrefix("local://") }
        let paths = prefixes.map { ByteString($0).split(separator: UInt8(ascii: "/"), maxSplits: 3).dropFirst(3) }
        return paths.joined().contains { $0.contains(UInt8(ascii: "*")) } ? nil : prefixes
    }

    private static func qualities(_ text: String) -> [String]? {
        let pairs = list(text).map { ByteString($0).split(separator: UInt8(ascii: "=")).map(\.string) }
        guard pairs.allSatisfy({ $0.count == 2 }) else { return nil }
        return ["fq:\(pairs.joined().joined(separator: ":"))"]
    }
}
