import CalotypeBase
import Testing

@testable import CalotypeURLs

/// Options that the server's owner puts in front of those of each URL.
struct DefaultsTests {
    private func grammar(_ presets: ByteString = "", _ defaults: ByteString...) throws -> RenditionGrammar {
        var grammar = RenditionGrammar()
        grammar.presets = try Presets(presets)
        for text in defaults { try grammar.addDefaults(text) }
        return grammar
    }

    @Test func `a URL overrides the defaults, and the preset default does, too`() throws {
        let plain = try grammar("", "q:70/w:10", "h:20").request(for: "/w:30/plain/local:///a.jpg").request.options
        #expect(plain.quality == 70 && plain.width == 30 && plain.height == 20)
        let preset = try grammar("default=q:60", "q:70/w:10").request(for: "/plain/local:///a.jpg").request.options
        #expect(preset.quality == 60 && preset.width == 10)
    }

    @Test func `defaults apply where URLs name presets alone`() throws {
        var grammar = try grammar("small=w:10", "q:70")
        grammar.takesPresetsOnly = true
        let options = try grammar.request(for: "/small/plain/local:///a.jpg").request.options
        #expect(options.quality == 70 && options.width == 10)
    }

    @Test(arguments: ["q", "q:101", "nonsense:1", "q:70/", "pr:none"] as [ByteString])
    func `wrong defaults are refused, and change nothing`(_ text: ByteString) throws {
        var grammar = try grammar("", "q:70")
        grammar.ignoresUnsupported = true
        #expect(throws: RenditionError.self) { try grammar.addDefaults(text) }
        #expect(grammar.defaults.count == 1)
    }
}
