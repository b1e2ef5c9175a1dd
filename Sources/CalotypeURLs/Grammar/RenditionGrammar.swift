package import CalotypeBase
import CalotypeHTTP

/// The grammar of imgproxy's URLs: options, then a source.
///
///     /{option:argument…}/…/plain/{percent-encoded URL}@{extension}
///     /{option:argument…}/…/{URL in base64, split by slashes anywhere}.{extension}
///
/// A path that begins with `/info` has other options and no extension: it asks for facts about the source.
package struct RenditionGrammar: Sendable {
    package var presets = Presets()
    /// Options in front of the preset "default" and of the URL's own.
    package private(set) var defaults: [URLOption] = []
    /// Whether paths begin with the names of presets instead of options.
    package var takesPresetsOnly = false
    /// Whether unknown options and options with unsupported values are skipped. If `false`, the path is refused.
    package var ignoresUnsupported = false
    /// Whether presets that are not known here have no effect. If `false`, the path is refused.
    package var takesUnknownPresets = false
    /// The names of options that paths may have, as paths spell them; `nil` (the default) for all. Presets and ``defaults``
    /// may have others.
    package var allowedOptions: Set<ByteString>?
    /// As ``allowedOptions``, for paths that ask for facts.
    package var allowedInfoOptions: Set<ByteString>?
    /// Whether paths may ask for the place where a photo was taken. If `false` (the default), these are refused.
    package var permitsPlaces = false
    /// The changes of the URLs of sources.
    package var rewriting = SourceRewriting()
    /// Whether a source in base64 ends with a part that is no part of it: a file name, for people.
    package var takesFileName = false

    package init() {}

    /// The first part of paths that ask for facts.
    package static let infoName: ByteString = "info"

    /// Adds options to ``defaults``, from a text such as "q:70/fq:avif:50".
    ///
    /// - Throws: 400 if it contains anything but options that the server supports, and presets.
    package mutating func addDefaults(_ text: ByteString) throws(RenditionError) {
        var reader = OptionReader(grammar: self)
        reader.grammar.ignoresUnsupported = false
        var options = defaults
        for part in text.split(separator: UInt8(ascii: "/")) {
            guard let option = URLOption(part) else { throw .malformed("\(part.quoted) is not option:argument") }
            try reader.apply(option)
            options.append(option)
        }
        defaults = options
    }

    package struct Parsed: Hashable, Sendable {
        package var request: RenditionRequest
        /// The names of the skipped options, as the path or a preset spells them.
        package var ignored: [ByteString]
        /// The long names of the options that ask for something else than what results have.
        package var differing: [ByteString]
    }

    /// Parses a path.
    ///
    /// - Parameter path: The part of the URL's path after the signature, with its leading slash and without a query.
    package func request(for path: ByteString) throws(RenditionError) -> Parsed {
        guard !path.contains(0), path.percentDecoded?.contains(0) != true else {
            throw .malformed("the path contains NUL")
        }
        var parts = path.dropFirst().split(separator: UInt8(ascii: "/"))[...]
        let isInfo = parts.first == Self.infoName
        if isInfo { parts.removeFirst() }
        var reader = try self.reader(isInfo: isInfo)
        try read(&parts, by: &reader, end: "plain/SOURCE")
        reader.options.given = RenditionOptions.Given()
        if takesFileName, parts.first != "plain", parts.count > 1 { parts.removeLast() }
        let source = try SourceText(parts)
        if isInfo {
            guard source.format == nil else {
                throw .malformed(
                    "facts have no format: write an \"@\" of the source as %40, and base64 without an extension")
            }
        } else if reader.options.isRaw {
            (reader.options.format, reader.options.choosesByContent) = (nil, false)
        } else if let format = source.format {
            guard !format.contains(UInt8(ascii: "/")) else {
                throw .malformed("the source names a user, or has an \"@\" of its own: write that as %40")
            }
            try reader.apply(URLOption(name: "format", values: [format]))
        }
        let request = RenditionRequest(
            source: rewriting.rewritten(source.url).normalizedSource, options: reader.options)
        return Parsed(request: request, ignored: reader.ignored, differing: reader.differing)
    }

    /// Returns a reader that has applied the options in front of a path's own.
    ///
    /// - Parameter isInfo: Whether the path asks for facts.
    func reader(isInfo: Bool) throws(RenditionError) -> OptionReader {
        var reader = OptionReader(grammar: self, isInfo: isInfo)
        for option in defaults where !isInfo || OptionTable.isShared(option.name) { try reader.apply(option) }
        try reader.apply(preset: "default", ifExists: true)
        return reader
    }

    /// Applies the options, or the presets, with which the rest of a path begins, and removes them.
    ///
    /// - Parameter end: What follows them, for the error.
    func read(
        _ parts: inout ArraySlice<ByteString>, by reader: inout OptionReader, end: ByteString
    ) throws(RenditionError) {
        if takesPresetsOnly {
            guard parts.first != "plain" || reader.hasPreset("plain") else {
                throw .malformed("the path begins with the names of presets: /signature/NAME:NAME/\(end)")
            }
            for name in parts.popFirst()?.split(separator: UInt8(ascii: ":")) ?? [] { try reader.apply(preset: name) }
            return try checkPlaces(reader.options)
        }
        while let part = parts.first, let option = URLOption(part) {
            parts.removeFirst()
            guard (reader.isInfo ? allowedInfoOptions : allowedOptions)?.contains(option.name) ?? true else {
                throw RenditionError(
                    403, "option \(option.name.quoted): the server permits it in presets alone", option: option.name)
            }
            try reader.apply(option)
        }
        try checkPlaces(reader.options)
    }

    private func checkPlaces(_ options: RenditionOptions) throws(RenditionError) {
        guard permitsPlaces || options.info?.place != true else {
            throw RenditionError(403, "option \"gps\": the server tells no places", option: "gps")
        }
    }
}

/// Applies options in order, so that a later option overrides an earlier one of the same name.
struct OptionReader {
    var grammar: RenditionGrammar
    let isInfo: Bool
    var options = RenditionOptions()
    var ignored: [ByteString] = []
    private(set) var differing: [ByteString] = []
    private var presets: [ByteString] = []

    /// - Parameter isInfo: Whether the options are those of facts. The default is `false`.
    init(grammar: RenditionGrammar, isInfo: Bool = false) {
        (self.grammar, self.isInfo) = (grammar, isInfo)
        options.info = isInfo ? InfoOptions() : nil
    }

    mutating func apply(_ option: URLOption) throws(RenditionError) {
        if option.name == "preset" || option.name == "pr" {
            for name in option.values { try apply(preset: name) }
            return
        }
        do throws(RenditionError) {
            guard let row = OptionTable.row(named: option.name, isInfo: isInfo) else {
                throw .option(option.name, "the server has no such option")
            }
            let arguments = OptionArguments(name: row.longName, values: option.values)
            try arguments.atMost(row.limit)
            try row.read(&options, arguments)
            if let constant = row.constant, try arguments.flag(0) != constant { differing.append(row.longName) }
        } catch {
            guard grammar.ignoresUnsupported else { throw error }
            ignored.append(option.name)
        }
    }

    /// Applies the options of a preset. Skips a preset that is already being applied, so that presets cannot recurse.
    mutating func apply(preset name: ByteString, ifExists: Bool = false) throws(RenditionError) {
        guard let list = list(ofPreset: name) else {
            if ifExists || grammar.takesUnknownPresets { return }
            throw .option("preset", "there is no preset \(name.quoted)")
        }
        guard !presets.contains(name) else { return }
        presets.append(name)
        defer { presets.removeLast() }
        for option in list { try apply(option) }
    }

    func hasPreset(_ name: ByteString) -> Bool { list(ofPreset: name) != nil }

    private func list(ofPreset name: ByteString) -> [URLOption]? { grammar.presets[name, isInfo: isInfo] }
}

extension InfoOptions {
    /// Returns the facts with those of a text such as "bh:4:3/exif:0".
    ///
    /// - Throws: 400 if it has anything but options for facts.
    package func adding(_ text: ByteString) throws(RenditionError) -> InfoOptions {
        var reader = OptionReader(grammar: RenditionGrammar(), isInfo: true)
        reader.options.info = self
        for part in text.split(separator: UInt8(ascii: "/")) where !part.isEmpty {
            guard let option = URLOption(part) else { throw .malformed("\(part.quoted) is not option:argument") }
            try reader.apply(option)
        }
        return reader.options.info ?? self
    }
}
