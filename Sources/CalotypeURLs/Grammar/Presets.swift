package import CalotypeBase

/// Named lists of options, in imgproxy's syntax: a line `name=option:argument/option:argument` for each. The name of a list for
/// paths that ask for facts has `info/` in front of it, where they name it without.
package struct Presets: Hashable, Sendable {
    private var lists: [ByteString: [URLOption]] = [:]

    package init() {}

    /// Parses the text of a file. Skips empty lines, and lines that begin with "#".
    package init(_ text: ByteString) throws(RenditionError) {
        for (index, line) in text.split(separator: 0x0A).enumerated() {
            let line = line.withoutReturn.trimmed
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let (name, options) = Self.preset(line) else {
                throw .malformed("line \(index + 1) of the presets is not \"name=option:argument/…\"")
            }
            lists[name] = options
        }
        try check()
    }

    private static let infoPrefix: ByteString = "\(RenditionGrammar.infoName)/"

    subscript(name: ByteString, isInfo isInfo: Bool) -> [URLOption]? {
        lists[isInfo ? "\(Self.infoPrefix)\(name)" : name]
    }

    private static func preset(_ line: ByteString) -> (ByteString, [URLOption])? {
        let sides = line.split(separator: UInt8(ascii: "="), maxSplits: 1).map(\.trimmed)
        guard sides.count == 2, !sides[0].isEmpty else { return nil }
        let parts = sides[1].split(separator: UInt8(ascii: "/"))
        let options = parts.compactMap(URLOption.init)
        return options.count == parts.count ? (sides[0], options) : nil
    }

    /// Applies each preset once, so that an error appears at the start of the server and not with a request.
    private func check() throws(RenditionError) {
        var grammar = RenditionGrammar()
        grammar.presets = self
        for name in lists.keys.sorted() {
            let isInfo = name.hasPrefix(Self.infoPrefix)
            var reader = OptionReader(grammar: grammar, isInfo: isInfo)
            do throws(RenditionError) {
                try reader.apply(preset: isInfo ? name.dropFirst(Self.infoPrefix.count) : name)
            } catch {
                throw .malformed("preset \(name.quoted): \(error.message)")
            }
        }
    }
}

extension ByteString {
    fileprivate var withoutReturn: ByteString {
        withBytes { $0.last == 0x0D ? ByteString(bytes: UnsafeRawBufferPointer(rebasing: $0.dropLast())) : self }
    }
}
