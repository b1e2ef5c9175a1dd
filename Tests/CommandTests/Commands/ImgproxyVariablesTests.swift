import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import calotype_command

/// imgproxy's environment variables for `calotype serve`.
struct ImgproxyVariablesTests {
    /// The rows of the table in the document: a variable with a value, and the settings that it stands for.
    private static let documented: [(variable: String, value: String, settings: [String])] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Documentation/Server.md").standardized
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| `IMGPROXY_") }.map { row in
            let parts = row.components(separatedBy: "`")
            let codes = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
            let words = codes[0].split(separator: "=", maxSplits: 1).map(String.init)
            return (words[0], words.count > 1 ? words[1] : "", Array(codes.dropFirst()))
        }
    }()

    @Test func `the document has a row for each variable, and no other`() {
        let names = Self.documented.map(\.variable)
        #expect(names.sorted() == ImgproxyVariables.rows.map(\.variable).sorted())
    }

    @Test(arguments: documented.map { ($0.variable, $0.value, $0.settings) })
    func `a documented variable stands for the settings of its row`(
        _ variable: String, _ value: String, _ settings: [String]
    ) throws {
        let row = try #require(ImgproxyVariables.rows.first { $0.variable == variable })
        let values = try #require(row.values(value))
        #expect(values.map { "\(row.option) = \($0)" } == settings)
        #expect(!settings.isEmpty)
    }

    @Test(arguments: [
        ("IMGPROXY_ONLY_PRESETS", "perhaps", "expected true or false"),
        ("IMGPROXY_ALLOWED_SOURCES", "https://a.example/*/b", "with * in a host alone"),
        ("IMGPROXY_ALLOWED_SOURCES", "gs://bucket", "the scheme"),
        ("IMGPROXY_FORMAT_QUALITY", "jpeg", "expected qualities such as"),
        ("IMGPROXY_QUALITY", "101", "quality"),
        ("IMGPROXY_TTL", "soon", "expected a whole number"),
    ])
    func `a wrong value is one line that names the variable`(
        _ variable: String, _ value: String, _ problem: String
    ) async throws {
        let calotype = try Calotype()
        let ending = try await calotype("serve", "--root", ".", "--insecure", environment: [variable: value])
        #expect(ending.status == 2 && ending.errorLines.count == 1)
        #expect(ending.errors.hasPrefix("calotype: \(variable)=\(value): ") && ending.errors.contains(problem))
    }

    @Test func `several variables are one setting, and the server's own variable wins over all`() async throws {
        let calotype = try Calotype()
        let variables = [
            "IMGPROXY_AUTO_WEBP": "true", "IMGPROXY_AUTO_AVIF": "1", "IMGPROXY_QUALITY": "70",
            "IMGPROXY_FORMAT_QUALITY": "avif=50,jpeg=60", "IMGPROXY_TTL": "10", "CALOTYPE_TTL": "20",
            "IMGPROXY_LOCAL_FILESYSTEM_ROOT": ".", "IMGPROXY_MAX_SRC_FILE_SIZE": "0",
        ]
        let ending = try await calotype("serve", "--insecure", "--print-config", environment: variables)
        #expect(ending.status == 0, "\(ending.errors)")
        let settings = ending.lines.map { $0.split(separator: "\t")[0] }
        for line in [
            "negotiate = avif,webp", "defaults = q:70", "defaults = fq:avif:50:jpeg:60", "ttl = 20", "root = .",
            "# max-source-size",
        ] { #expect(settings.contains(Substring(line)), "\(line)") }
        let off = try await calotype(
            "serve", "--insecure", "--root", ".", "--print-config", environment: ["IMGPROXY_AUTO_WEBP": "false"])
        #expect(off.lines.contains { $0.hasPrefix("negotiate = none\t") })
    }

    @Test func `a server starts with imgproxy's variables, and names those without an equal once`() async throws {
        let calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/cat.jpg")
        let keys = ["IMGPROXY_KEY": String(repeating: "736563726574", count: 4), "IMGPROXY_SALT": "68656C6C6F"]
        let errors = calotype.place.appending(path: "errors")
        try Data().write(to: errors)
        let variables = [
            "IMGPROXY_BIND": "127.0.0.1:0", "IMGPROXY_QUALITY": "10", "IMGPROXY_SECRET": "hidden",
            "IMGPROXY_WORKERS": "4", "IMGPROXY_PATH_PREFIX": "",
            "IMGPROXY_LOCAL_FILESYSTEM_ROOT": calotype.directory.appending(path: "photos").path,
        ]
        let server = try ServerChild(
            ["serve"], environment: variables.merging(keys) { $1 }, errors: try FileHandle(forWritingTo: errors))
        var bodies: [Data] = []
        for options in [["w:32", "q:90"], ["w:32"], ["w:32", "q:10"]] {
            let words = ["sign", "local:///cat.jpg@jpg"] + options
            let path = try #require(try await calotype.start(words, environment: keys).ending().lines.first)
            var request = HTTPRequest(try #require(URL(string: "http://127.0.0.1:\(server.port)")))
            request.rawTarget = ByteString(path)
            let response = try await CurlTransport().send(request)
            #expect(response.status == 200)
            bodies.append(try await response.body.collect())
        }
        #expect(bodies[0].count > bodies[1].count && bodies[1] == bodies[2])
        server.send(SIGTERM)
        #expect(await server.status == 0)
        let lines = try String(contentsOf: errors, encoding: .utf8).split(separator: "\n")
        #expect(
            lines == [
                "calotype: serve: IMGPROXY_SECRET has no equal here, and no effect",
                "calotype: serve: IMGPROXY_WORKERS has no equal here, and no effect",
            ])
    }
}
