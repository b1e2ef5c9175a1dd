import CalotypeBase
import CalotypeURLs
import Foundation

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
        grammar.takesPresetsOnly = has(.presetsOnly)
        grammar.ignoresUnsupported = has(.ignoreUnsupported)
        return grammar
    }
}

extension Option {
    static let preset = Option(
        "preset", nil, "NAME=OPTIONS", help: "Add a preset to those of --presets. May be given several times.")
    static let defaults = Option(
        "defaults", nil, "OPTIONS",
        help: "Options in front of those of each URL and of the preset default, such as q:70/fq:avif:50. "
            + "May be given several times.")
}
