import CalotypeHTTP
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Requirements
import Testing

/// Section 8: `calotype fetch`.
struct FetchTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
    }

    private func url(_ path: String) -> String { origin.url(path).absoluteString }

    @Test func `without wishes the bytes are written as they came`() async throws {
        let photo = Pictures.jpeg()
        origin.on("/photo.jpg", .ok(photo))
        let ending = try await calotype("fetch", url("/photo.jpg"))
        #expect(ending.status == 0)
        #expect(ending.errors == "")
        #expect(ending.lines == ["photo.jpg"])
        #expect(try calotype.contents("photo.jpg") == photo)
        #expect(calotype.files == ["photo.jpg"])
    }

    @Test(arguments: [["fetch"], ["fetch", "--json"], ["fetch", "--verbose"], ["info"], ["info", "--json"]])
    func `no output contains a password of the URL`(_ command: [String]) async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        origin.on("/missing.jpg", .status(404))
        let urls = ["/photo.jpg", "/missing.jpg"].map { path in
            url(path).replacingOccurrences(of: "http://", with: "http://anna:secret@")
        }
        let ending = try await calotype.start(command + urls + ["https://anna:secret@"]).ending()
        #expect(ending.errors.contains("/missing.jpg: the server answered 404"))
        #expect(!String(decoding: ending.output, as: UTF8.self).contains("secret"))
        #expect(!ending.errors.contains("secret"))
        for options in [[], ["--json"]] {
            let list = try await calotype.start(["cache", "list"] + options).ending().lines
            #expect(list.count == 1 && !list[0].contains("secret"))
        }
    }

    @Test func `a size, a mode and a format make a new image`() async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        let ending = try await calotype(
            "fetch", "--size", "40x40", "--mode", "fill", "--format", "webp", "--output", "thumbs/small",
            url("/photo.jpg"))
        #expect(ending.status == 0)
        #expect(ending.lines == ["thumbs/small/photo.webp"])
        let header = try Pictures.header(try calotype.contents("thumbs/small/photo.webp"))
        #expect(header.format == .webp)
        #expect(header.uprightSize == PixelSize(40, 40))
    }

    @Test(arguments: [
        (["--size", "60x60"], PixelSize(60, 40)), (["--size", "60"], PixelSize(60, 40)),
        (["--size", "x20"], PixelSize(30, 20)), (["--size", "60x60", "--mode", "exact"], PixelSize(60, 60)),
        (["--size", "240"], PixelSize(120, 80)), (["--size", "240", "--upscale"], PixelSize(240, 160)),
        (["--square"], PixelSize(80, 80)), (["--size", "60", "--square"], PixelSize(40, 40)),
    ])
    func `sizes and steps mean what the help says`(_ options: [String], _ size: PixelSize) async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        let ending = try await calotype.start(["fetch", url("/photo.jpg")] + options).ending()
        #expect(ending.status == 0)
        #expect(try Pictures.size(try calotype.contents("photo.jpg")) == size)
    }

    @Test func `a circle keeps its transparency, though the URL says JPEG`() async throws {
        origin.on("/me.jpg", .ok(Pictures.jpeg()))
        #expect(try await calotype("fetch", "--circle", url("/me.jpg")).lines == ["me.png"])
        #expect(try Pictures.header(try calotype.contents("me.png")).hasAlpha)
    }

    @Test func `the extension is that of the bytes, whatever the URL and the server say`() async throws {
        origin.on("/image.php", .ok(Pictures.png(), type: "text/html"))
        origin.on("/really.jpg", .ok(Pictures.png()))
        let ending = try await calotype("fetch", "-j", "1", url("/image.php?id=7"), url("/really.jpg"))
        #expect(ending.lines == ["image.php.png", "really.png"])
    }

    @Test func `equal names get numbers in the order of the command line`() async throws {
        let gate = Gate()
        origin.on("/a/photo.jpg", .ok(Pictures.jpeg(seed: 1)).held(by: gate))
        origin.on("/b/photo.jpg", .ok(Pictures.jpeg(seed: 2)))
        let child = try calotype.start(["fetch", url("/a/photo.jpg"), url("/b/photo.jpg")])
        // The second image arrives long before the first.
        await origin.waitForRequests(2)
        gate.open()
        #expect(try await child.ending().status == 0)
        #expect(try calotype.contents("photo.jpg") == Pictures.jpeg(seed: 1))
        #expect(try calotype.contents("photo-2.jpg") == Pictures.jpeg(seed: 2))
    }

    @Test func `a file that is there stays, and nothing is loaded in vain`() async throws {
        try calotype.write("mine", to: "photo.jpg")
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        let refused = try await calotype("fetch", url("/photo.jpg"))
        #expect(refused.status == 1)
        let reason = "photo.jpg already exists; --overwrite replaces it"
        #expect(refused.errors == "calotype: \(url("/photo.jpg")): \(reason)\n")
        #expect(try calotype.contents("photo.jpg") == Data("mine".utf8))
        #expect(origin.requestCount() == 0)
        #expect(try await calotype("fetch", "--overwrite", url("/photo.jpg")).status == 0)
        #expect(try calotype.contents("photo.jpg") == Pictures.jpeg())
    }

    @Test(.requirement("B51"))
    func `some that fail give status 1 and a line each on standard error, naming URL and reason`() async throws {
        origin.on("/good.jpg", .ok(Pictures.jpeg()))
        origin.on("/page.jpg", .html("<html>not found</html>"))
        origin.on("/empty.jpg", .ok(Data()))
        origin.on("/cut.jpg", .ok(Pictures.jpeg().prefix(1400)))
        let bad = ["/gone.jpg", "/page.jpg", "/empty.jpg", "/cut.jpg"].map { url($0) } + ["ftp://x/a.jpg", "nonsense"]
        let ending = try await calotype.start(["fetch", url("/good.jpg")] + bad).ending()
        #expect(ending.status == 1)
        #expect(ending.lines == ["good.jpg"])
        #expect(calotype.files == ["good.jpg"])
        #expect(ending.errorLines.count == bad.count)
        for (address, reason) in zip(bad, ["404", "not an image", "no body", "damaged", "ftp", "scheme is missing"]) {
            let line = try #require(ending.errorLines.first { $0.hasPrefix("calotype: \(address): ") })
            #expect(line.contains(reason), "\(line)")
        }
    }

    @Test(.requirement("C6")) func `a page served as an image is not kept; the next request asks again and works`()
        async throws
    {
        origin.on("/photo.jpg", replies: [.html("<html>later</html>"), .ok(Pictures.jpeg())])
        #expect(try await calotype("fetch", url("/photo.jpg")).status == 1)
        #expect(try await calotype("fetch", url("/photo.jpg")).status == 0)
        #expect(origin.requestCount() == 2)
    }

    @Test func `one image may go to standard output, and nothing else does`() async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        let ending = try await calotype("fetch", "--output", "-", "--verbose", url("/photo.jpg"))
        #expect(ending.output == Pictures.jpeg())
        #expect(ending.errors.contains("from network"))
        #expect(calotype.files.isEmpty)
    }

    @Test func `--progressive makes a new image of one that needs no other change`() async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        #expect(try await calotype("fetch", "--progressive", url("/photo.jpg")).status == 0)
        #expect(try Pictures.header(try calotype.contents("photo.jpg")).isProgressive)
    }

    @Test func `one URL and the extension of an image mean a file, with the bytes as they came`() async throws {
        origin.on("/photo", .ok(Pictures.jpeg()))
        let ending = try await calotype("fetch", "-o", "new/cat.JPG", url("/photo"))
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.lines == ["new/cat.JPG"])
        #expect(try calotype.contents("new/cat.JPG") == Pictures.jpeg())
        #expect(try await calotype("fetch", "-o", "new/cat.JPG", url("/photo")).status == 1)
        #expect(try await calotype("fetch", "--overwrite", "-o", "new/cat.JPG", url("/photo")).status == 0)
    }

    @Test func `a file gets the format that its extension stands for`() async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        let converted = try await calotype("fetch", "-o", "cat.png", url("/photo.jpg"))
        #expect(converted.lines == ["cat.png"], "\(converted.errors)")
        #expect(try Pictures.header(try calotype.contents("cat.png")).format == .png)
        #expect(try Pictures.size(try calotype.contents("cat.png")) == PixelSize(120, 80))
        #expect(try await calotype("fetch", "-o", "small.webp", "--size", "60", url("/photo.jpg")).status == 0)
        #expect(try Pictures.header(try calotype.contents("small.webp")).format == .webp)
        #expect(origin.requestCount() == 2)
    }

    @Test func `what cannot be written in the format of its name is refused`() async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        let ending = try await calotype("fetch", "-o", "cat.gif", url("/photo.jpg"))
        #expect(ending.status == 1)
        #expect(ending.errors.contains("the image is a JPEG; cat.gif: .gif files cannot be written"))
        #expect(calotype.files.isEmpty)
    }

    @Test func `a quality of the command line encodes the image, one in the environment does not`() async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        let words = ["fetch", "--overwrite", url("/photo.jpg")]
        _ = try await calotype.start(words, environment: ["CALOTYPE_QUALITY": "5"]).ending()
        #expect(try calotype.contents("photo.jpg") == Pictures.jpeg())
        #expect(try await calotype.start(words + ["--quality", "5"]).ending().status == 0)
        #expect(try calotype.contents("photo.jpg").count < Pictures.jpeg().count)
    }

    @Test func `a directory may be called like a file`() async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        #expect(try await calotype("fetch", "-o", "cat.jpg/", url("/photo.jpg")).lines == ["cat.jpg/photo.jpg"])
        #expect(
            try await calotype("fetch", "-o", "cat.jpg", "--overwrite", url("/photo.jpg")).lines == [
                "cat.jpg/photo.jpg"
            ])
    }

    @Test func `the URLs of a list are loaded, comments and empty lines left out`() async throws {
        for name in ["a", "b", "c"] { origin.on("/\(name).jpg", .ok(Pictures.jpeg())) }
        let list = try calotype.write("# images\n\n  \(url("/a.jpg"))  \r\n\(url("/b.jpg"))\n", to: "list.txt")
        let ending = try await calotype("fetch", "-o", "out", url("/c.jpg"), "--from", list)
        #expect(ending.status == 0)
        #expect(ending.lines.sorted() == ["out/a.jpg", "out/b.jpg", "out/c.jpg"])
        let piped = try await calotype("fetch", "-o", "more", "--from", "-", input: Data(url("/a.jpg").utf8))
        #expect(piped.lines == ["more/a.jpg"])
    }

    @Test func `--json prints an object for each URL`() async throws {
        origin.on("/a.jpg", .ok(Pictures.jpeg()))
        let ending = try await calotype("fetch", "--json", "-j", "1", url("/a.jpg"), url("/gone.jpg"))
        #expect(ending.status == 1)
        let records = try ending.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(records.count == 2)
        let good = try #require(records.first { $0["ok"] as? Bool == true })
        #expect(good["url"] as? String == url("/a.jpg"))
        #expect(good["path"] as? String == "a.jpg")
        #expect(good["format"] as? String == "jpeg")
        #expect(good["width"] as? Int == 120)
        #expect(good["height"] as? Int == 80)
        #expect(good["bytes"] as? Int == Pictures.jpeg().count)
        #expect(good["origin"] as? String == "network")
        #expect(good["seconds"] is Double || good["seconds"] is Int)
        let bad = try #require(records.first { $0["ok"] as? Bool == false })
        let error = try #require(bad["error"] as? [String: Any])
        #expect(error["code"] as? String == "badStatus")
        #expect(error["status"] as? Int == 404)
    }

    @Test func `header fields are sent as given, in their order`() async throws {
        origin.on("/photo.jpg", .ok(Pictures.jpeg()))
        _ = try await calotype(
            "fetch", "-H", "Authorization: Bearer 1", "--header=X-Many: a", "-H", "X-Many: b", url("/photo.jpg"))
        let fields = try #require(origin.requests.first).fields
        #expect(fields["Authorization"] == "Bearer 1")
        #expect(fields.values(of: "X-Many") == ["a", "b"])
    }

    @Test func `an address is escaped once, as an operand and in a list`() async throws {
        origin.onAny { _ in .ok(Pictures.jpeg()) }
        let address = "\(origin.url.absoluteString)/a.jpg?sig=a%2Bb%3D&n=[1]"
        try calotype.write("\(address)\n", to: "list")
        #expect(try await calotype("fetch", "--output", "one", address).status == 0)
        #expect(try await calotype("fetch", "--output", "two", "--from", "list").status == 0)
        #expect(origin.requests.map(\.target) == Array(repeating: "/a.jpg?sig=a%2Bb%3D&n=%5B1%5D", count: 2))
    }

    @Test func `no more downloads run at a time than --parallel says`() async throws {
        let gate = Gate()
        origin.onAny { _ in .ok(Pictures.jpeg()).held(by: gate) }
        let child = try calotype.start(["fetch", "--parallel", "2"] + (0..<6).map { url("/\($0).jpg") })
        await origin.waitForRequests(2)
        gate.open()
        #expect(try await child.ending().status == 0)
        #expect(origin.requestCount() == 6)
        #expect(origin.peakConcurrency == 2)
    }

    @Test func `a server that does not answer is given up after --timeout`() async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/slow.jpg", .ok(Pictures.jpeg()).bodyHeld(by: gate, after: 10))
        let ending = try await calotype("fetch", "--timeout", "0.3", url("/slow.jpg"))
        #expect(ending.status == 1)
        #expect(ending.errors.contains(url("/slow.jpg")))
        #expect(calotype.files.isEmpty)
    }

    @Test func `with --proxy the request goes there, whole`() async throws {
        origin.onAny { _ in .ok(Pictures.jpeg()) }
        let ending = try await calotype("fetch", "--proxy", origin.url.absoluteString, "http://pictures.invalid/a.jpg")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(origin.requests.map(\.target) == ["http://pictures.invalid/a.jpg"])
    }

    @Test func `data URLs and file URLs work too`() async throws {
        let file = try calotype.write(Pictures.png(), to: "deep/in.png")
        let data = "data:image/jpeg;base64,\(Pictures.jpeg().base64EncodedString())"
        let ending = try await calotype("fetch", "-j", "1", "file://\(file)", data)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.lines.first == "in.png")
        #expect(calotype.files.count == 3)
    }

    /// In a pipe, URLs of up to 4096 bytes were printed whole.
    @Test func `a line of --verbose shortens a data URL, in a pipe too`() async throws {
        let data = "data:image/png;base64,\(SamplePhotos.png(width: 20, height: 15).base64EncodedString())"
        try #require((401...4096).contains(data.utf8.count))
        let ending = try await calotype("fetch", "--verbose", data)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.lines.count == 1 && ending.lines.first?.contains("… (\(data.utf8.count) bytes)") == true)
    }

    @Test func `what a server or a URL contains cannot talk to the terminal`() async throws {
        let ending = try await calotype("fetch", "http://127.0.0.1:1/\u{1B}[31m.jpg", "no\nURL")
        #expect(ending.status == 1)
        #expect(!ending.errors.contains("\u{1B}"))
        #expect(ending.errorLines.count == 2)
    }
}
