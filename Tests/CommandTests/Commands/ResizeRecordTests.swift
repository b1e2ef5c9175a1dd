import CalotypeTesting
import Foundation
import Testing
import Waiting

/// The record of `calotype resize --if-changed` after runs that ended early.
struct ResizeRecordTests {
    private static let record = "out/.calotype-made.json"
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    private func made() async throws -> [String] {
        let ending = try await calotype("resize", "in", "-o", "out", "--size", "20", "--if-changed")
        #expect(ending.status == 0, "\(ending.errors)")
        return ending.lines.sorted()
    }

    @Test(.timeLimit(.minutes(1))) func `a run that is killed begins again where it ended`() async throws {
        let origin = try OriginServer()
        let gate = Gate()
        defer { gate.open() }
        origin.on("/slow.jpg", .ok(Pictures.jpeg()).bodyHeld(by: gate, after: 500))
        for name in ["a", "b"] { try calotype.write(Pictures.jpeg(), to: "in/\(name).jpg") }
        let slow = origin.url("/slow.jpg").absoluteString
        let child = try calotype.start(
            ["resize", "in", slow, "-o", "out", "--size", "20", "-j", "1", "--if-changed"])
        await origin.waitForRequests(1)
        child.send(SIGKILL)
        #expect(try await child.ending().status == SIGKILL)

        try calotype.write(Pictures.jpeg(), to: "in/c.jpg")
        #expect(try await made() == ["out/c.jpg"])
        // The end of a run writes one line for all.
        #expect(try calotype.contents(Self.record).split(separator: UInt8(ascii: "\n")).count == 1)
        #expect(try await made() == [])
    }

    @Test func `a line that a crash has cut is forgotten, and no other`() async throws {
        for name in ["a", "b"] { try calotype.write(Pictures.jpeg(), to: "in/\(name).jpg") }
        #expect(try await made().count == 2)
        let whole = try calotype.contents(Self.record)
        try calotype.write(whole + Data("\n{\"/in/c".utf8), to: Self.record)
        try calotype.write(Pictures.jpeg(), to: "in/c.jpg")
        #expect(try await made() == ["out/c.jpg"])
        #expect(try await made() == [])
    }

    @Test func `an output that a power failure has cut is made again`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in/a.jpg")
        #expect(try await made() == ["out/a.jpg"])
        try calotype.write(Data(), to: "out/a.jpg")
        #expect(try await made() == ["out/a.jpg"])
    }

    @Test(.enabled(if: MountNamespace.isPossible, "needs root, for mounts"))
    func `a run that fills the disk begins again where it ended`() async throws {
        for index in 0..<24 { try calotype.write(Pictures.jpeg(seed: index), to: "in/\(index).jpg") }
        try FileManager.default.createDirectory(
            at: calotype.directory.appending(path: "out"), withIntermediateDirectories: true)
        let resize = "'\(Child.executable.path)' resize in -o out --format png -j 1 --if-changed"
        let script = """
            \(MountNamespace.disk(of: "128k", at: "out")) && \(resize) >first 2>errors
            mount -o remount,size=8m out && \(resize) >second
            """
        let child = try Child(
            ["-m", "sh", "-c", script], in: calotype, input: Data(), environment: [:], program: "/usr/bin/unshare")
        #expect(try await child.ending().status == 0)
        func lines(_ name: String) throws -> Int {
            try calotype.contents(name).split(separator: UInt8(ascii: "\n")).count
        }
        let errors = String(decoding: try calotype.contents("errors"), as: UTF8.self)
        let first = try lines("first"), second = try lines("second")
        #expect((1..<24).contains(first), "\(errors)")
        // The disk may have had room for an output, and not for its line.
        #expect((24...25).contains(first + second))
    }
}
