package import CalotypeBase

/// What a path asks for of an image in the body of its request: the options of one result, or those of several.
///
///     /{option:argument…}/…/
///     /{option:argument…}/…/each/{option:argument…}/…/each/{option:argument…}/…
///
/// The part `info` in front of options asks for facts instead.
package struct PostedPath: Hashable, Sendable {
    /// The options of each result, in the order asked. Those in front of the first `each` belong to all.
    package let results: [RenditionOptions]
    /// Whether the path has `each`, so that the answer is a list even with one result.
    package let isList: Bool
    /// The names of the skipped options, as the path or a preset spells them.
    package let ignored: [ByteString]

    /// The part of a path that begins the options of one result.
    package static let separator: ByteString = "each"

    /// The text of which a path's signature is made. The signature of no rendition fits: their paths begin with a slash.
    package static func signedText(_ path: ByteString) -> ByteString { "POST\(path)" }
}

extension RenditionGrammar {
    /// Parses the path of an image by POST.
    ///
    /// - Parameters:
    ///   - path: The part of the URL's path after the signature, with its leading slash and without a query.
    ///   - limit: The maximum number of results.
    package func posted(_ path: ByteString, limit: Int = .max) throws(RenditionError) -> PostedPath {
        guard !path.contains(0), path.percentDecoded?.contains(0) != true else {
            throw .malformed("the path contains NUL")
        }
        var parts = path.split(separator: UInt8(ascii: "/")).filter { !$0.isEmpty }[...]
        var common = try reader(of: &parts, after: nil)
        guard !parts.isEmpty else {
            return PostedPath(results: [try common.postedOptions()], isList: false, ignored: common.ignored)
        }
        guard !common.isInfo else {
            throw .malformed("info stands behind an \"each\", or in front of options alone")
        }
        var results: [RenditionOptions] = [], ignored = common.ignored
        common.ignored = []
        while let part = parts.popFirst() {
            guard part == PostedPath.separator else {
                throw .malformed("\(part.quoted) is no option, and a path for POST has options and \"each\" alone")
            }
            guard results.count < limit else { throw .malformed("the path asks for more than \(limit) results") }
            let reader = try reader(of: &parts, after: common)
            results.append(try reader.postedOptions())
            ignored += reader.ignored
        }
        return PostedPath(results: results, isList: true, ignored: ignored)
    }

    /// Reads the options up to the next separator. Facts have no options in common with results, but the expiry.
    private func reader(
        of parts: inout ArraySlice<ByteString>, after common: OptionReader?
    ) throws(RenditionError) -> OptionReader {
        let isInfo = parts.first == Self.infoName
        if isInfo { parts.removeFirst() }
        var reader: OptionReader
        if !isInfo, let common { reader = common } else { reader = try self.reader(isInfo: isInfo) }
        if isInfo { reader.options.expires = common?.options.expires }
        // Of presets alone, the next part may be the separator.
        if let next = parts.first, next != PostedPath.separator { try read(&parts, by: &reader, end: "") }
        return reader
    }
}

extension OptionReader {
    /// Returns the options, if they make sense without the URL of a source.
    fileprivate func postedOptions() throws(RenditionError) -> RenditionOptions {
        guard options.fallback == nil else {
            throw .option("fallback_image_url", "an image by POST has no replacement")
        }
        var options = options
        options.given = RenditionOptions.Given()
        if options.isRaw { (options.format, options.choosesByContent) = (nil, false) }
        return options
    }
}
