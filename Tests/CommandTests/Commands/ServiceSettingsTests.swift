import CalotypeBase
import Foundation
import Testing

@testable import calotype_command

/// The settings of the servers: flags, variables, files, and files with secrets.
struct ServiceSettingsTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    private static let services = Commands.syntaxes.filter(\.isService)

    private var home: String { calotype.place.appending(path: "home").path }

    private func completed(
        _ words: [String] = [], _ environment: [String: String] = [:], command: String = "serve"
    ) throws -> Arguments {
        let syntax = try #require(Self.services.first { $0.name == command })
        var lax = syntax
        lax.operandCount = 0...Int.max
        let context = Context(
            console: Console(environment: [:]) { _ in }, temporaryFiles: TemporaryFiles(),
            environment: environment.merging(["HOME": home]) { given, _ in given })
        let arguments = try ArgumentParser.parse(words.map { ByteString($0) }[...], for: lax)
        return try Settings(context).completing(arguments)
    }

    private func serve(
        _ words: String..., environment: [String: String] = [:]
    ) async throws -> Calotype.Ending {
        try await calotype.start(["serve"] + words, environment: environment).ending()
    }

    // MARK: Places

    @Test(arguments: services.flatMap { syntax in syntax.settings.map { (syntax.name, $0.name) } })
    func `an option of a service is a flag, a variable, and a line of a file`(
        _ command: String, _ name: String
    ) throws {
        let syntax = try #require(Self.services.first { $0.name == command })
        let option = try #require(syntax.settings.first { $0.name == name })
        let value = option.placeholder == nil ? "yes" : "two words"
        let file = try calotype.write("\(name) = \(value)\n", to: "file.conf")
        let places = [(["--config", file], [:]), ([], [option.variable: value])]
        for (words, environment) in places as [([String], [String: String])] {
            #expect(try completed(words, environment, command: command)[option] == value)
        }
        let flag = ["--\(name)=\(value)"]
        guard !syntax.secretOptions.contains(option) else {
            #expect(throws: UsageError.self) { try completed(flag, command: command) }
            return
        }
        #expect(try completed(flag, command: command)[option] == value)
    }

    @Test func `tasks are flags alone`() throws {
        for syntax in Self.services { #expect(!syntax.settings.contains { CommandSyntax.tasks.contains($0.name) }) }
        #expect(try !completed([], ["CALOTYPE_CHECK": "urls", "CALOTYPE_PRINT_CONFIG": "yes"]).has(.checkURLs))
    }

    @Test func `a flag wins over a variable, that over the named file, and that over the user's own`() async throws {
        let own = calotype.place.appending(path: "home/.config/calotype/config")
        try FileManager.default.createDirectory(at: own.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("ttl = 1\ncors = *\nlog = none\nfreshness = ignore\n".utf8).write(to: own)
        try calotype.write("ttl = 2\ncors = https://named.example\nlog = errors\n", to: "serve.conf")
        let variables = ["TTL": "3", "CORS": "https://variable.example", "INSECURE": "yes"]
        let ending = try await serve(
            "--print-config", "--config", "serve.conf", "--root", ".", "--ttl", "4",
            environment: Dictionary(uniqueKeysWithValues: variables.map { ("CALOTYPE_\($0)", $1) }))
        #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
        for line in [
            "ttl = 4\tcommand line", "cors = https://variable.example\tCALOTYPE_CORS", "log = errors\tserve.conf:3",
            "freshness = ignore\t\(own.path):4", "insecure = yes\tCALOTYPE_INSECURE", "# negotiate\tdefault",
        ] { #expect(ending.lines.contains(line), "\(line)") }
        #expect(ending.lines.count == ServeCommand.syntax.settings.count)
    }

    @Test func `a switch of the file can be turned off`() throws {
        let file = try calotype.write("insecure = yes\n", to: "serve.conf")
        #expect(try completed(["--config", file]).has(.insecure))
        #expect(try !completed(["--config", file, "--insecure=no"]).has(.insecure))
    }

    // MARK: Secrets

    @Test func `print-config shows the places of secrets, and no secret`() async throws {
        try calotype.write("736563726574\n", to: "key")
        let ending = try await serve(
            "--print-config", "--root", ".",
            environment: [
                "CALOTYPE_KEY": "@key", "IMGPROXY_SALT": "68656C6C6F",
                "CALOTYPE_SOURCE_HEADER": "https://a.example Authorization: Bearer hidden",
            ])
        #expect(ending.status == 0, "\(ending.errors)")
        for line in [
            "key = …\tCALOTYPE_KEY, @key", "salt = …\tIMGPROXY_SALT", "source-header = …\tCALOTYPE_SOURCE_HEADER",
        ] { #expect(ending.lines.contains(line), "\(line)") }
        let text = String(decoding: ending.output, as: UTF8.self)
        for secret in ["736563", "68656C", "hidden"] { #expect(!text.contains(secret)) }
    }

    @Test func `a secret behind two @ is neither printed nor part of an error`() async throws {
        let secret = ["CALOTYPE_SOURCE_HEADER": "@@hidden"]
        let ending = try await serve("--print-config", "--root", ".", "--insecure", environment: secret)
        #expect(ending.lines.contains("source-header = …\tCALOTYPE_SOURCE_HEADER"))
        #expect(ending.status == 2 && ending.errors.contains("CALOTYPE_SOURCE_HEADER=…: "))
        #expect(!(String(decoding: ending.output, as: UTF8.self) + ending.errors).contains("hidden"))
    }

    @Test func `a key on the command line is refused, and not repeated`() async throws {
        for words in [["--key", "736563726574"], ["--key=736563726574"], ["--salt", "736563726574"]] {
            let ending = try await calotype.start(["serve", "--root", "."] + words).ending()
            #expect(ending.status == 2 && ending.errorLines.count == 1)
            #expect(ending.errors.contains("CALOTYPE_") && !ending.errors.contains("736563"))
        }
    }

    @Test(arguments: [
        ("text\n", ["text"]), ("text", ["text"]), ("text\r\n", ["text"]), ("one\n\ntwo\n\n", ["one", "two"]),
        ("@text\n", ["@text"]),
    ])
    func `a value is the lines of a file`(_ text: String, _ values: [String]) throws {
        let file = try calotype.write(text, to: "value")
        #expect(try completed([], ["CALOTYPE_ALLOW_SOURCE": "@\(file)"]).all(.allowSource) == values)
        #expect(try completed(["--allow-source", "@\(file)"]).all(.allowSource) == values)
        let folder = ["CREDENTIALS_DIRECTORY": calotype.directory.path]
        let configuration = try calotype.write("allow-source = @$CREDENTIALS_DIRECTORY/value\n", to: "serve.conf")
        #expect(try completed(["--config", configuration], folder).all(.allowSource) == values)
    }

    @Test func `two @ stand for one, and a variable has a value in each line`() throws {
        #expect(try completed([], ["CALOTYPE_CORS": "@@text"])[.cors] == "@text")
        #expect(try completed(["--cors", "@@text"])[.cors] == "@text")
        #expect(try completed([], ["CALOTYPE_ALLOW_SOURCE": "one\ntwo\n"]).all(.allowSource) == ["one", "two"])
    }

    @Test func `sign has the key of the settings, and those in a file are one for each line`() async throws {
        try calotype.write("736563726574\n6F74686572\n", to: "keys")
        try calotype.write("68656C6C6F\n00\n", to: "salts")
        let old = ["IMGPROXY_KEY": "736563726574", "IMGPROXY_SALT": "68656C6C6F"]
        let expected = try await calotype("sign", "local:///a.jpg", "w:10", environment: old)
        let files = ["CALOTYPE_KEY": "@keys", "CALOTYPE_SALT": "@salts"]
        let signed = try await calotype("sign", "local:///a.jpg", "w:10", environment: files)
        #expect(signed.status == 0 && signed.lines == expected.lines && !expected.lines.isEmpty, "\(signed.errors)")
        let short = try await calotype("sign", "local:///a.jpg", "--signature-size", "8", environment: files)
        #expect(short.lines.first?.split(separator: "/").first?.count == 11)
    }

    @Test func `sign takes the file of a server`() async throws {
        let keys = "key = 736563726574\nsalt = 68656C6C6F\n"
        let file = try calotype.write("root = /srv/images\nstore = /var/cache/calotype\n\(keys)", to: "serve.conf")
        let signed = try await calotype("sign", "local:///a.jpg", "--config", file)
        let environment = ["IMGPROXY_KEY": "736563726574", "IMGPROXY_SALT": "68656C6C6F"]
        let expected = try await calotype("sign", "local:///a.jpg", environment: environment)
        #expect(signed.status == 0 && signed.lines == expected.lines && !expected.lines.isEmpty, "\(signed.errors)")
        try calotype.write("rooot = /srv/images\n\(keys)", to: "serve.conf")
        let wrong = try await calotype("sign", "local:///a.jpg", "--config", file)
        #expect(wrong.status == 2 && wrong.errors.contains(":1: unknown key 'rooot'"), "\(wrong.errors)")
    }

    // MARK: Mistakes

    @Test(arguments: [
        ("nonsense = 1\n", "serve.conf:1: unknown key 'nonsense'"),
        ("\norigin = http://a\n", "serve.conf:2: unknown key 'origin'"),
        ("check = urls\n", "serve.conf:1: unknown key 'check'"),
        ("ttl\n", "serve.conf:1: expected key = value"),
        ("ttl = soon\n", "serve.conf:1: ttl = soon: expected a whole number"),
        ("signature-size = 33\n", "serve.conf:1: signature-size = 33: expected a whole number from 1 to 32"),
        ("insecure = perhaps\n", "serve.conf:1: insecure must be yes or no"),
        (
            "allow-source = https://a.example\nallow-source = ftp://a\n",
            "serve.conf:2: allow-source = ftp://a: the scheme"
        ),
        ("allow-address = 10.0.0.1/8\n", "serve.conf:1: allow-address = 10.0.0.1/8: expected an address"),
        ("key = @/nowhere/key\n", "serve.conf:1: key = @/nowhere/key: cannot read it: No such file"),
        ("key = @empty\n", "serve.conf:1: key = @empty: the file is empty"),
        (
            "key = @$CREDENTIALS_DIRECTORY/key\n",
            "serve.conf:1: key = @$CREDENTIALS_DIRECTORY/key: CREDENTIALS_DIRECTORY"
        ),
        ("key = secret\nsalt = 00\n", "serve.conf:1: key = … and serve.conf:2: salt = …: key 1 is not hexadecimal"),
        ("salt = 7365637265\n", "serve.conf:1: salt = …: a salt needs a key"),
        ("source-header = https://a.example secret\n", "serve.conf:1: source-header = …: behind https://a.example"),
        ("preset = nonsense\n", "serve.conf:1: preset = nonsense: line 1 of the presets"),
        ("defaults = q:70/nonsense:1\n", "serve.conf:1: defaults = q:70/nonsense:1: "),
        ("max-source = none\n", "serve.conf:1: max-source = none: expected megapixels"),
        ("max-source-size = 0\n", "serve.conf:1: max-source-size = 0: expected a size"),
    ])
    func `a mistake in the named file is one line, and nothing is served`(
        _ text: String, _ problem: String
    ) async throws {
        try calotype.write("", to: "empty")
        try calotype.write(text, to: "serve.conf")
        let ending = try await serve("--root", ".", "--insecure", "--config", "serve.conf")
        #expect(ending.status == 2 && ending.errorLines.count == 1 && ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("calotype: \(problem)"), "\(ending.errors)")
        #expect(!ending.errors.contains("secret") && !ending.errors.contains("736563"))
    }

    @Test func `a mistake in a variable, and a missing file, are one line`() async throws {
        try calotype.write("perhaps\n", to: "word")
        for (variable, value, problem) in [
            ("CALOTYPE_SIGNATURE_SIZE", "soon", "expected a whole number"),
            ("CALOTYPE_INSECURE", "perhaps", "expected yes or no"),
            ("CALOTYPE_INSECURE", "@word", "expected yes or no"),
            ("CALOTYPE_KEY", "@none", "cannot read it: No such file"),
        ] {
            let keys = ["IMGPROXY_KEY": "00", "IMGPROXY_SALT": "00"]
            let ending = try await serve(
                "--root", ".", environment: keys.merging([variable: value]) { _, new in new })
            let problem = "\(variable)=\(value): \(problem)"
            #expect(ending.status == 2 && ending.errorLines.count == 1)
            #expect(ending.errors.hasPrefix("calotype: \(problem)"), "\(ending.errors)")
        }
        let ending = try await serve("--root", ".", "--config", "none.conf")
        #expect(ending.status == 2 && ending.errorLines.count == 1)
        #expect(ending.errors.hasPrefix("calotype: none.conf: cannot read it: No such file"), "\(ending.errors)")
    }

    @Test func `print-config shows the settings of a server that would not start`() async throws {
        let ending = try await serve("--print-config", environment: ["CALOTYPE_TTL": "7"])
        #expect(ending.status == 2 && ending.errors.contains("--root"))
        #expect(ending.lines.contains("ttl = 7\tCALOTYPE_TTL"))
    }
}
