import CalotypeDemo
import CalotypeTesting
import Foundation
import Testing

@MainActor
@Suite struct PhotoAPITests {
    private let origin: OriginServer
    private let api: PhotoAPI

    init() throws {
        origin = try OriginServer()
        api = PhotoAPI(origin.url)
    }

    private func page(_ photos: String, of pages: Int = 9) -> OriginReply {
        let json = #"{"current_page": 1, "total_pages": \#(pages), "total_items": 9, "photos": [\#(photos)]}"#
        return .ok(Data(json.utf8), type: "application/json")
    }

    @Test(arguments: [
        ("<!DOCTYPE html><p>Log in", PhotoAPIError.Code.webPage), ("{\"photos\": 7}", .otherShape), ("[]", .otherShape),
        ("", .otherShape), ("{\"current_page\": 1, \"total_pages\": 1, \"total_items\": 1}", .otherShape),
    ])
    func `an answer that is no page of photos is told from one that is`(_ body: String, _ code: PhotoAPIError.Code)
        async throws
    {
        origin.on("/photos", .ok(Data(body.utf8), type: "application/json"))
        let error = await #expect(throws: PhotoAPIError.self) { try await api.page(1) }
        #expect(error?.code == code)
        #expect(error?.message.hasPrefix("127.0.0.1") == true)
    }

    @Test func `a page without end is left after 4 MB`() async throws {
        let gate = Gate(isOpen: true)
        origin.on("/photos", .ok(Data(repeating: 0x20, count: 64 << 20)).dripping(bytes: 1 << 20, gate: gate))
        let error = await #expect(throws: PhotoAPIError.self) { try await api.page(1) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a server that refuses, and one that is gone`() async throws {
        let refused = await #expect(throws: PhotoAPIError.self) { try await api.page(1) }
        #expect(refused?.message.hasSuffix("answered 404") == true)
        #expect(refused?.code == .badStatus && refused?.status == 404)
        origin.stop()
        let gone = await #expect(throws: PhotoAPIError.self) { try await api.page(1) }
        #expect(gone?.code == .unreachable && gone?.status == nil)
    }

    @Test func `null, nonsense and relative addresses of images; ids as numbers and as words`() async throws {
        origin.on(
            "/photos",
            page(
                #"""
                {"id": 1, "name": "a", "image_url": null}, {"id": "two", "image_url": ""}, {"id": 3, "image_url": 7},
                {"id": 4, "image_url": "/i/4"}, {"id": 5, "image_url": "http://other.example/5.jpg", "image_format": "jpeg"}
                """#))
        let photos = try await api.page(1).photos
        #expect(photos.map(\.id) == ["1", "two", "3", "4", "5"])
        let addresses = photos.map { $0.imageURL?.absoluteString }
        #expect(addresses == [nil, nil, nil, "\(origin.url)/i/4", "http://other.example/5.jpg"])
        #expect(photos[1].name == "Photo two")
    }

    @Test func `addresses of images are escaped once`() async throws {
        origin.on(
            "/photos",
            page(
                #"""
                {"id": 1, "image_url": "http://h/a?sig=a%2Bb%3D&n=[1]"}, {"id": 2, "image_url": "/i/a b%20?n=[%5B"}
                """#))
        let addresses = try await api.page(1).photos.map { $0.imageURL?.absoluteString }
        #expect(addresses == ["http://h/a?sig=a%2Bb%3D&n=%5B1%5D", "\(origin.url)/i/a%20b%20?n=%5B%5B"])
    }

    @Test func `the feed reads page after page, leaves out what it has given, and comes to an end`() async throws {
        origin.on("/photos?page=1", page(#"{"id": 1}, {"id": 2}"#))
        origin.on("/photos?page=2", page(#"{"id": 2}, {"id": 3}"#))
        origin.on("/photos?page=3", page(#"{"id": 1}, {"id": 3}"#))
        let feed = PhotoFeed(api)
        #expect(try await feed.next().map(\.id) == ["1", "2"])
        #expect(try await feed.next().map(\.id) == ["3"])
        #expect(!feed.isAtEnd)
        // The same page again, as some APIs return after their last page.
        #expect(try await feed.next().isEmpty)
        #expect(feed.isAtEnd)
        #expect(try await feed.next().isEmpty)
        #expect(origin.requestCount() == 3)
    }

    @Test func `after an error the feed asks for the same page again`() async throws {
        origin.on("/photos", replies: [.status(404), page(#"{"id": 1}"#, of: 1)])
        let feed = PhotoFeed(api)
        await #expect(throws: PhotoAPIError.self) { try await feed.next() }
        #expect(try await feed.next().map(\.id) == ["1"])
        #expect(feed.isAtEnd)
        #expect(origin.requests.map(\.target) == ["/photos?page=1", "/photos?page=1"])
    }

    @Test func `pages are requested ahead up to the given number, and returned in order`() async throws {
        let gate = Gate()
        origin.on("/photos?page=1", page(#"{"id": 1}"#))
        for number in 2...9 { origin.on("/photos?page=\(number)", page(#"{"id": \#(number)}"#).held(by: gate)) }
        let feed = PhotoFeed(api)
        #expect(try await feed.next(ahead: 3).map(\.id) == ["1"])
        #expect(origin.requestCount() == 1, "the first page tells how many there are")
        let second = Task { try await feed.next(ahead: 3) }
        await origin.waitForRequests(5)
        gate.open()
        #expect(try await second.value.map(\.id) == ["2"])
        #expect(Set(origin.requests.map(\.target)) == Set((1...5).map { "/photos?page=\($0)" }))
        for number in 3...5 { #expect(try await feed.next().map(\.id) == ["\(number)"]) }
        #expect(origin.requestCount() == 5)
        for number in 6...9 { #expect(try await feed.next(ahead: 3).map(\.id) == ["\(number)"]) }
        #expect(feed.isAtEnd && origin.requestCount() == 9, "no page beyond the last")
    }

    @Test func `a page that failed ahead of its turn is requested again by the call after the error`() async throws {
        origin.on("/photos?page=1", page(#"{"id": 1}"#, of: 3))
        origin.on("/photos?page=2", page(#"{"id": 2}"#, of: 3))
        origin.on("/photos?page=3", replies: [.status(404), page(#"{"id": 3}"#, of: 3)])
        let feed = PhotoFeed(api)
        _ = try await feed.next()
        #expect(try await feed.next(ahead: 3).map(\.id) == ["2"])
        await #expect(throws: PhotoAPIError.self) { try await feed.next(ahead: 3) }
        #expect(try await feed.next(ahead: 3).map(\.id) == ["3"])
        #expect(feed.isAtEnd)
    }
}
