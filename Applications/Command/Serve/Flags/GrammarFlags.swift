import CalotypeBase
import CalotypeURLs
import Foundation

extension RenditionGrammar {
    /// The flags of the URLs' syntax, in the order of the help. A reload takes all of them.
    static let flags: [Option] = [
        .presets, .preset, .presetsOnly, .defaults, .allowOptions, .allowInfoOptions, .infoGPS, .ignoreUnsupported,
        .replaceSource, .baseURL,
        .base64FileName,
    ]
}

extension Arguments {
    /// Returns the grammar of URLs, with presets and defaults.
    func grammar() throws(UsageError) -> RenditionGrammar {
        var grammar = RenditionGrammar()
        let file = try contents(.presets).map { ByteString(bytes: $0) }
        let lines = allGiven(.preset).map(\.bytes)
        do throws(RenditionError) {
            grammar.presets = try Presets(([file].compactMap(\.self) + lines).joined(separator: "\n"))
        } catch {
            let given = [Option.presets, .preset].compactMap { option in self.given(option)?.written(as: option) }
            throw self.error("\(given.joined(separator: " and ")): \(error.message)")
        }
        for given in allGiven(.defaults) {
            do throws(RenditionError) { try grammar.addDefaults(given.bytes) } catch {
                throw self.error(given, of: .defaults, error.message)
            }
        }
        grammar.allowedOptions = names(.allowOptions)
        grammar.allowedInfoOptions = names(.allowInfoOptions)
        grammar.permitsPlaces = has(.infoGPS)
        for given in allGiven(.replaceSource) {
            do throws(RenditionError) { try grammar.rewriting.add(given.bytes) } catch {
                throw self.error(given, of: .replaceSource, error.message)
            }
        }
        grammar.rewriting.base = given(.baseURL)?.bytes ?? ""
        grammar.takesFileName = has(.base64FileName)
        grammar.takesPresetsOnly = has(.presetsOnly)
        grammar.ignoresUnsupported = has(.ignoreUnsupported)
        return grammar
    }

    /// Returns the names of URL options that an option lists; `nil` if the option was not given.
    private func names(_ option: Option) -> Set<ByteString>? {
        self[option].map { Set(ByteString($0).split(separator: UInt8(ascii: ",")).map(\.trimmed)) }
    }

    /// Returns the bytes of the file that an option names; `nil` if the option was not given.
    func contents(_ option: Option) throws(UsageError) -> Data? {
        guard let path = path(option) else { return nil }
        guard let data = try? InputFile.read(path, limit: .max) else {
            throw error(option, "there is no such file, or it cannot be read")
        }
        return data
    }
}

extension Option {
    static let presets = Option(
        "presets", nil, "FILE", offers: .files, takesBytes: true, isReloaded: true,
        help: "Presets in imgproxy's syntax, one per line: name=option:argument/... For URLs of /info: info/name=...")
    static let preset = Option(
        "preset", nil, "NAME=OPTIONS", isReloaded: true,
        help: "Add a preset to those of --presets. May be given several times.")
    static let presetsOnly = Option("presets-only", isReloaded: true, help: "URLs name presets and no options.")
    static let defaults = Option(
        "defaults", nil, "OPTIONS", isReloaded: true,
        help: "Options in front of those of each URL and of the preset default, such as q:70/fq:avif:50. "
            + "May be given several times.")
    static let allowOptions = Option(
        "allow-options", nil, "NAMES", isReloaded: true,
        help:
            "Refuse URLs with other options than these, such as rs,w,h,pr. Each name counts as URLs spell it: rs is not "
            + "resize. Presets may have others.")
    static let allowInfoOptions = Option(
        "allow-info-options", nil, "NAMES", isReloaded: true,
        help: "The same for URLs that begin with /info, such as bh,dc.")
    static let infoGPS = Option(
        "info-gps", isReloaded: true,
        help: "Permit URLs of /info with gps:1, which tell where a photo was taken. Without it they are refused.")
    static let replaceSource = Option(
        "replace-source", nil, "PATTERN=TEXT", isReloaded: true,
        help:
            "Replace this beginning of sources: old://*/=https://example.com/${1}/, where * is all but slashes. May be "
            + "given several times.")
    static let baseURL = Option(
        "base-url", nil, "URL", isReloaded: true,
        help: "Put this in front of each source that does not begin with it.")
    static let base64FileName = Option(
        "base64-file-name", isReloaded: true,
        help: "Ignore the last part of a source in base64, such as /puppy.jpg.")
    static let ignoreUnsupported = Option(
        "ignore-unsupported", isReloaded: true,
        help: "Leave out options that are not supported, instead of refusing the URL.")
}
