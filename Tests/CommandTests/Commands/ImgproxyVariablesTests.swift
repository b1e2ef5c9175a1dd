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
    /// The rows of the tables in the document: the cells of each.
    private static let documented: [[String]] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Documentation/FromImgproxy.md").standardized
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| `IMGPROXY_") }.map { row in
            row.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
        }
    }()

    /// The variables in the first cell of a row. The row is about the first one.
    private static func variables(_ cell: String) -> [(name: String, value: String)] {
        cell.replacing("`", with: "").split(separator: " ").map { text in
            let words = text.split(separator: "=", maxSplits: 1).map(String.init)
            return (words[0], words.count > 1 ? words[1] : "")
        }
    }

    @Test func `the document has a row for each variable, and no other`() {
        let names = Self.documented.map { Self.variables($0[0])[0].name }
        #expect(names.sorted() == ImgproxyVariables.rows.map(\.variable).sorted())
        #expect(Set(names).count == names.count && names.count == 177 + 5)
    }

    @Test func `at least 80 of the 177 free variables have an equal`() {
        let equals = ImgproxyVariables.rows.dropLast(2).filter { row in
            switch row.effect {
            case .equal, .always: true
            case .harmless, .refused: false
            }
        }
        #expect(equals.count >= 80, "\(equals.count)")
    }

    @Test(arguments: documented)
    func `a documented variable stands for the settings of its row, or has its reason`(_ row: [String]) throws {
        let given = Self.variables(row[0])
        let known = try #require(ImgproxyVariables.rows.first { $0.variable == given[0].name })
        switch known.effect {
        case .equal:
            let environment = Dictionary(given.map { ($0.name, $0.value) }) { $1 }
            let settings = ImgproxyVariables.rows.flatMap { row -> [String] in
                guard case .equal(let equal) = row.effect, let text = environment[row.variable] else { return [] }
                return (equal.values(text, environment) ?? []).map { "`\(equal.option) = \($0)`" }
            }
            #expect(settings.joined(separator: ", ") == row[1] && !settings.isEmpty)
        case .always(let reason, _): #expect(row[1] == "always: \(reason)")
        case .harmless(let reason, _), .refused(let reason, _): #expect(row[1] == reason)
        }
    }

    @Test(arguments: [
        ("IMGPROXY_GCS_ALLOWED_BUCKETS", "photos"), ("IMGPROXY_ABS_DENIED_BUCKETS", "photos"),
        ("IMGPROXY_SWIFT_ALLOWED_BUCKETS", "photos"), ("IMGPROXY_S3_ACCESS_POINTS", "a=b"),
        ("IMGPROXY_COOKIE_PASSTHROUGH", "true"), ("IMGPROXY_SOURCE_URL_ENCRYPTION_KEY", "736563726574"),
        ("IMGPROXY_ENV_AWS_SECRET_ID", "photos"), ("IMGPROXY_ARGUMENTS_SEPARATOR", ","),
    ])
    func `a variable that the server cannot obey ends the start with its remedy, and without its value`(
        _ variable: String, _ value: String
    ) async throws {
        let calotype = try Calotype()
        let ending = try await calotype("serve", "--root", ".", "--insecure", environment: [variable: value])
        #expect(ending.status == 2 && ending.errorLines.count == 1)
        #expect(ending.errors.hasPrefix("calotype: \(variable): ") && ending.errors.contains("remove the variable"))
        #expect(!ending.errors.contains(value == "," ? "=," : value))
    }

    @Test(
        arguments: [
            (
                ["IMGPROXY_ALLOWED_SOURCES": "s3://,https://*.example.com/,local://"],
                ["allow-source = https://*.example.com/"]
            ),
            (
                ["IMGPROXY_ALLOWED_SOURCES": "s3://,http://,gs://photos", "IMGPROXY_USE_S3": "true"],
                ["allow-source = s3://*", "allow-source = http://*:*"]
            ),
            (
                [
                    "IMGPROXY_ALLOWED_SOURCES": "s3://photos/b,s3://marks", "IMGPROXY_USE_S3": "1",
                    "IMGPROXY_S3_ALLOWED_BUCKETS": "photos",
                ],
                ["allow-source = s3://photos/b"]
            ),
            (["IMGPROXY_ALLOWED_SOURCES": "local:///public,https://a.example/*/b"], ["allow-source = local:///public"]),
            (["IMGPROXY_ALLOWED_SOURCES": "local://,local:///public"], []),
            (
                ["IMGPROXY_ALLOWED_SOURCES": "http://,https://*/a,http://*:8100/,https://b.example:8443/c"],
                [
                    "allow-source = http://*:*", "allow-source = https://*:*/a", "allow-source = http://*:8100/",
                    "allow-source = https://b.example:8443/c",
                ]
            ),
            (
                ["IMGPROXY_ALLOWED_SOURCES": "local:///public\r", "IMGPROXY_QUALITY": "70\r"],
                ["allow-source = local:///public", "defaults = fq:jpeg:70"]
            ),
            (
                ["IMGPROXY_QUALITY": "70", "IMGPROXY_FORMAT_QUALITY": "avif=40"],
                ["defaults = fq:jpeg:70", "defaults = fq:avif:40"]
            ),
            (["IMGPROXY_FORMAT_QUALITY": "webp=79,avif=63,gif=77"], ["defaults = fq:webp:79:avif:63"]),
            (["IMGPROXY_SKIP_PROCESSING_FORMATS": "svg,gif,heic"], ["defaults = skp:svg:gif"]),
        ] as [([String: String], [String])])
    func `prefixes and formats that cannot apply are left out, and the rest counts`(
        _ variables: [String: String], _ expected: [String]
    ) async throws {
        let calotype = try Calotype()
        let ending = try await calotype(
            "serve", "--root", ".", "--insecure", "--allow-remote", "--print-config", environment: variables)
        #expect(ending.status == 0, "\(ending.errors)")
        let settings = ending.lines.map { String($0.split(separator: "\t")[0]) }
        #expect(settings.filter { $0.hasPrefix("allow-source") || $0.hasPrefix("defaults") } == expected)
    }

    @Test func `prefixes without local sources leave the root out`() async throws {
        let calotype = try Calotype()
        let variables = ["IMGPROXY_ALLOWED_SOURCES": "https://a.example/", "IMGPROXY_LOCAL_FILESYSTEM_ROOT": "."]
        let ending = try await calotype("serve", "--insecure", "--print-config", environment: variables)
        #expect(ending.lines.contains { $0.hasPrefix("# root") }, "\(ending.lines)")
    }

    @Test(arguments: [
        ("IMGPROXY_ONLY_PRESETS", "perhaps", "expected true or false"),
        ("IMGPROXY_ALLOWED_SOURCES", "https://a b/", "more than ASCII letters"),
        ("IMGPROXY_URL_REPLACEMENTS", "a", "is not PATTERN=REPLACEMENT"),
        ("IMGPROXY_URL_REPLACEMENTS", "a://=b://${1}", "the N-th * of the pattern"),
        ("IMGPROXY_PATH_PREFIX", "images", "a path such as /images"),
        ("IMGPROXY_LOG_LEVEL", "loud", "error, warn, info or debug"),
        ("IMGPROXY_MAX_REDIRECTS", "-1", "a whole number from 0"),
        ("IMGPROXY_WATERMARK_OPACITY", "2", "a number from 0 to 1"),
        ("IMGPROXY_S3_REGION", "a b", "each once"),
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

    @Test func `a variable of an address for all machines is named, and concerns the running server alone`()
        async throws
    {
        let calotype = try Calotype()
        try calotype.write(Data("/_/w:10/plain/local:///a.jpg\n".utf8), to: "paths")
        let variables = ["IMGPROXY_PROMETHEUS_BIND": ":8081"]
        let ending = try await calotype("serve", "--root", ".", "--insecure", environment: variables)
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("calotype: IMGPROXY_PROMETHEUS_BIND=:8081: 0.0.0.0:8081 shows the metrics"))
        let checked = try await calotype(
            "serve", "--root", ".", "--insecure", "--check", "paths", environment: variables)
        #expect(checked.status == 0, "\(checked.errors)")
    }

    @Test func `without any source left, the parts that do not count are named`() async throws {
        let calotype = try Calotype()
        let variables = [
            "IMGPROXY_ALLOWED_SOURCES": "https://x.example/a/*/b", "IMGPROXY_LOCAL_FILESYSTEM_ROOT": "/photos",
        ]
        let ending = try await calotype("serve", "--insecure", environment: variables)
        #expect(ending.status == 2 && ending.errors.contains("there are no sources"))
        #expect(ending.errors.contains("https://x.example/a/*/b is left out: it has * in its path"))
        #expect(ending.errors.contains("/photos is left out: IMGPROXY_ALLOWED_SOURCES lacks local://"))
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
            "negotiate = avif,webp", "defaults = fq:jpeg:70", "defaults = fq:avif:50:jpeg:60", "ttl = 20", "root = .",
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
            "IMGPROXY_BIND": "127.0.0.1:0", "IMGPROXY_QUALITY": "10", "IMGPROXY_NEW_RELIC_KEY": "hidden",
            "IMGPROXY_WORKERS": "1", "IMGPROXY_WEBP_EFFORT": "4", "IMGPROXY_PATH_PREFIX": "",
            "IMGPROXY_USE_ETAG": "true", "IMGPROXY_FORMAT": "png",
            "IMGPROXY_FORMAT_QUALITY": "heic=50",
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
                "calotype: serve: IMGPROXY_FORMAT has no effect: the server knows no such variable of imgproxy",
                "calotype: serve: IMGPROXY_FORMAT_QUALITY: heic is left out: the server writes none",
                "calotype: serve: IMGPROXY_NEW_RELIC_KEY has no effect: metrics are those for Prometheus",
                "calotype: serve: IMGPROXY_WEBP_EFFORT has no effect: the effort for WebP is fixed",
            ])
    }
}
