import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// The configuration file and the environment.
struct SettingsTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
        origin.on("/a.jpg", .ok(Pictures.jpeg()))
    }

    private var url: String { origin.url("/a.jpg").absoluteString }
    private var path: String { calotype.place.appending(path: "home/.config/calotype/config").path }

    private func configure(_ text: String, in folder: String = "home/.config") throws {
        let file = calotype.place.appending(path: "\(folder)/calotype/config")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test func `the file gives options their values`() async throws {
        try configure("# mine\n\n  cache-dir =  ~/kept \r\nheader = X-One: 1\nheader = X-Two: 2\n")
        #expect(try await calotype("fetch", url).status == 0)
        #expect(FileManager.default.fileExists(atPath: calotype.place.appending(path: "home/kept").path))
        #expect(origin.requests[0].fields["X-One"] == "1" && origin.requests[0].fields["X-Two"] == "2")
    }

    @Test func `the command line wins over the environment, and the environment over the file`() async throws {
        try configure("header = X-From: file\nno-cache = yes\n")
        let variable = ["CALOTYPE_HEADER": "X-From: environment"]
        for (words, environment, expected) in [
            ([], [:], "file"), ([], variable, "environment"), (["-H", "X-From: line"], variable, "line"),
        ] as [([String], [String: String], String)] {
            let words = ["fetch", "--overwrite", url] + words
            #expect(try await calotype.start(words, environment: environment).ending().status == 0)
            #expect(origin.requests.last?.fields["X-From"]?.string == expected)
        }
    }

    @Test func `a switch of the file can be turned off, and a directory on the command line turns the cache on`()
        async throws
    {
        try configure("no-cache = yes")
        for (words, keeps) in [([], false), (["--no-cache=no"], true), (["--cache-dir", "mine"], true)] {
            let count = origin.requests.count
            for _ in 0..<2 {
                let ending = try await calotype.start(["info", "-p", "cache-else-load", url] + words).ending()
                #expect(ending.status == 0, "\(ending.errors)")
            }
            #expect(origin.requests.count == count + (keeps ? 1 : 2), "\(words)")
        }
    }

    @Test func `XDG_CONFIG_HOME says where the file is, unless it is relative`() async throws {
        try configure("nonsense", in: "there")
        let there = calotype.place.appending(path: "there").path
        let ending = try await calotype("info", "x.jpg", environment: ["XDG_CONFIG_HOME": there])
        #expect(ending.status == 2 && ending.errors.contains("\(there)/calotype/config:1: "))
        #expect(try await calotype("info", "x.jpg", environment: ["XDG_CONFIG_HOME": "there"]).status == 1)
    }

    @Test(arguments: [
        ("timeout 30", ":1: expected key = value"),
        ("\u{FEFF}timeout = soon", ":1: timeout = soon: expected a number of seconds"),
        ("\n# x\ntimeuot = 30", ":3: unknown key 'timeuot'; did you mean timeout?"),
        ("overwrite = yes", ":1: unknown key 'overwrite'; "),
        ("no-cache = perhaps", ":1: no-cache must be yes or no, not 'perhaps'"),
        ("timeout = soon", ":1: timeout = soon: expected a number of seconds"),
        ("timeout = 3\nheader = nonsense", ":2: header = nonsense: expected a header field such as"),
        ("policy = protcol", ":1: policy = protcol: expected one of protocol, reload"),
        ("cacert = /nowhere", ":1: cacert = /nowhere: expected a readable file"),
    ])
    func `a mistake in the file is named with its line, and nothing is done`(
        _ text: String, _ message: String
    ) async throws {
        try configure(text)
        let ending = try await calotype("fetch", url)
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("calotype: \(path)\(message)"), "\(ending.errors)")
        #expect(origin.requests.isEmpty && calotype.files.isEmpty)
        #expect(try await calotype("fetch", "--help").status == 0)
    }

    @Test func `a mistake in the environment is named with its variable`() async throws {
        let ending = try await calotype("info", "x.jpg", environment: ["CALOTYPE_TIMEOUT": "soon"])
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("calotype: CALOTYPE_TIMEOUT=soon: expected a number of seconds"))
    }

    @Test func `a setting of another command is no mistake`() async throws {
        try configure("protocol = blocks\nparallel = 2\n")
        #expect(try await calotype("cache", "stats").status == 1)
        #expect(try await calotype("fetch", url).status == 0)
    }

    @Test func `without a home directory commands still work`() async throws {
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let environment = ["HOME": "", "XDG_CACHE_HOME": "", "CALOTYPE_NO_CACHE": "yes"]
        #expect(try await calotype("info", "a.jpg", environment: environment).status == 0)
    }
}
