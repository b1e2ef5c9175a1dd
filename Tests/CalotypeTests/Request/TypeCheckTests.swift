import Foundation
import Requirements
import Testing

/// Code that must not compile, checked with the compiler that built the tests.
@Suite struct TypeCheckTests {
    @Test(.requirement("S1.5"))
    func `the callback form may be called on the main actor, and from elsewhere it is a compile error`() throws {
        let onMain = try typeCheck(
            "@MainActor func show(_ loader: ImageLoader, _ url: URL) { loader.fetch(url) { _ in } }")
        #expect(onMain.status == 0, "\(onMain.output)")
        let elsewhere = try typeCheck("func show(_ loader: ImageLoader, _ url: URL) { loader.fetch(url) { _ in } }")
        #expect(elsewhere.status != 0)
        #expect(elsewhere.output.contains("main actor-isolated instance method 'fetch(_:completion:)'"))
    }

    private func typeCheck(_ code: String) throws -> (status: Int32, output: String) {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let file = folder.path + "/Sample.swift"
        try "import Calotype\nimport Foundation\n\(code)\n".write(toFile: file, atomically: true, encoding: .utf8)

        let compiler = Process()
        let output = Pipe()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        // With all traits the modules import librsvg, whose headers are in separate folders.
        let command = #"exec swiftc "$@" $(pkg-config --cflags-only-I librsvg-2.0 2>/dev/null)"#
        compiler.arguments =
            ["sh", "-c", command, "sh", "-typecheck", "-swift-version", "6"]
            + searchPaths().flatMap { ["-I", $0] } + [file]
        compiler.standardOutput = output
        compiler.standardError = output
        try compiler.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        compiler.waitUntilExit()
        return (compiler.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    /// The modules are beside the test bundle, the module maps of the C libraries in `Libraries`.
    private func searchPaths() -> [String] {
        let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let shims = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Libraries")
            .standardized
        let folders = (try? FileManager.default.contentsOfDirectory(at: shims, includingPropertiesForKeys: nil)) ?? []
        let maps = folders.filter { FileManager.default.fileExists(atPath: $0.path + "/module.modulemap") }
        return [bundle.appending(path: "Modules").path] + maps.map(\.path)
    }
}
