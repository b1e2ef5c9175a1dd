import CalotypeTesting
import Foundation
import Testing

/// Section 8: status 130 on Ctrl-C, and no partial file left.
struct InterruptTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal in mid-download ends everything and leaves no partial file`(
        _ number: Int32, _ status: Int32
    ) async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/quick.jpg", .ok(Pictures.jpeg()))
        origin.on("/slow.jpg", .ok(Pictures.jpeg()).bodyHeld(by: gate, after: 500))
        let slow = (0..<3).map { origin.url("/slow.jpg?\($0)").absoluteString }
        let child = try calotype.start(["fetch", "-j", "2", origin.url("/quick.jpg").absoluteString] + slow)
        await origin.waitForRequests(3)
        child.send(number)
        let ending = try await child.ending()
        #expect(ending.status == status)
        #expect(calotype.files.filter { $0 != "quick.jpg" } == [])
        #expect(ending.errorLines == ["calotype: interrupted after 1 of 4 images"])
    }

    @Test func `a signal while a server keeps silent ends info too`() async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/slow.jpg", .ok(Pictures.jpeg()).held(by: gate))
        let child = try calotype.start(["info", origin.url("/slow.jpg").absoluteString])
        await origin.waitForRequests(1)
        child.send(SIGINT)
        #expect(try await child.ending().status == 130)
    }

    @Test(.timeLimit(.minutes(5))) func `one signal ends a read of a named pipe that has no writer`() async throws {
        try calotype.write(Pictures.jpeg(), to: "photo.jpg")
        // The first line comes before the command opens the pipe.
        let script = """
            mkfifo pipe lines
            '\(Child.executable.path)' info photo.jpg pipe > lines &
            child=$!
            read -r line < lines
            kill -TERM $child
            wait $child
            echo $?
            """
        let shell = try Child(["-c", script], in: calotype, input: Data(), environment: [:], program: "/bin/bash")
        #expect(try await shell.ending().lines == ["143"])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "the machine has no /dev/full"))
    func `a full disk behind standard output is an error with a message`() async throws {
        let command = "'\(Child.executable.path)' --version > /dev/full; echo $?"
        let shell = try Child(["-c", command], in: calotype, input: Data(), environment: [:], program: "/bin/bash")
        let ending = try await shell.ending()
        #expect(ending.lines == ["1"])
        #expect(ending.errors == "calotype: standard output: cannot write: No space left on device\n")
    }

    @Test func `a reader that leaves ends the command quietly`() async throws {
        origin.on("/photo.jpg", .ok(SamplePhotos.png(width: 800, height: 600)))
        let url = origin.url("/photo.jpg").absoluteString
        let command = "'\(Child.executable.path)' fetch --no-cache --output - '\(url)' | true; echo ${PIPESTATUS[0]}"
        let shell = try Child(["-c", command], in: calotype, input: Data(), environment: [:], program: "/bin/bash")
        let ending = try await shell.ending()
        #expect(ending.lines == ["141"])
        #expect(ending.errors == "")
    }
}
