import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeGallery

/// A list of a server's images, page by page.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct GalleryModelTests {
    private let origin: OriginServer
    private let model: GalleryModel

    init() throws {
        origin = try OriginServer()
        var options = ImageLoaderOptions.ephemeral
        options.retry = .never
        model = GalleryModel(options)
    }

    /// Answers with pages of 10 photos. A closure may replace the reply to a page.
    private func serve(_ count: Int, reply: @escaping @Sendable (_ page: Int, OriginReply) -> OriginReply = { $1 }) {
        origin.onAny { request in
            let query = URLComponents(string: request.target)?.queryItems ?? []
            let page = query.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
            let photos = ((page - 1) * 10..<max(min(page * 10, count), (page - 1) * 10)).map {
                #"{"id": \#($0), "name": "Photo \#($0)", "image_url": "/images/\#($0)"}"#
            }
            let text = """
                {"current_page": \(page), "total_pages": \((count + 9) / 10), "total_items": \(count),
                "photos": [\(photos.joined(separator: ","))]}
                """
            return reply(page, .ok(Data(text.utf8), type: "application/json"))
        }
    }

    /// Opens the list, and waits for its first page or a problem with it.
    private func open() async {
        await withCheckedContinuation { continuation in
            var waiting: CheckedContinuation<Void, Never>? = continuation
            model.onChange = { [weak model] _ in
                guard let model, ![.welcome, .loading].contains(model.phase) else { return }
                waiting?.resume()
                waiting = nil
            }
            model.open([origin.url.absoluteString])
        }
    }

    @Test func `two callers that need more at once get the same page, and the list goes on after it`() async {
        let gate = Gate()
        serve(100) { page, reply in page == 2 ? reply.held(by: gate) : reply }
        await open()
        let (first, second) = (Task { await model.loadMore() }, Task { await model.loadMore() })
        // The main actor has begun both by the time that it continues here.
        await origin.waitForRequests(2)
        gate.open()
        _ = await (first.value, second.value)
        #expect(model.items.map(\.id) == (0..<20).map { "\($0)" })
        #expect(model.hasMore)
        await model.loadMore()
        #expect(model.items.count == 30)
        #expect(origin.requests.map(\.target) == (1...3).map { "/photos?page=\($0)" })
    }

    @Test func `all pages are read in order while somebody asks, at most four at a time`() async {
        let gates = (0..<10).map { _ in Gate() }
        serve(100) { page, reply in reply.held(by: gates[page - 1]) }
        gates[0].open()
        await open()
        let reading = Task { await model.loadMore { true } }
        for page in 1..<10 {
            // The pages before this one have been answered.
            await origin.waitForRequests(min(page + 4, 10))
            #expect(origin.requestCount() <= page + 4)
            gates[page].open()
        }
        await reading.value
        #expect(model.items.map(\.id) == (0..<100).map { "\($0)" })
        #expect(!model.hasMore && origin.requestCount() == 10)
    }

    @Test func `reading on ends when nobody asks any more, and when a page fails`() async {
        serve(100) { page, reply in page == 6 ? .status(503) : reply }
        await open()
        await model.loadMore { [model] in model.items.count < 30 }
        #expect(model.items.count == 30)
        await model.loadMore { true }
        #expect(model.items.count == 50)
        #expect(model.pageProblem?.sentence == GalleryTexts.serverAnswered(503))
        serve(100)
        await model.loadMore { true }
        #expect(model.items.count == 100 && model.pageProblem == nil)
    }

    @Test func `the number of images is the server's; that of a search is the number of its matches`() async {
        serve(100)
        await open()
        #expect(model.count == 100 && model.items.count == 10)
        model.search = "Photo 7"
        #expect(model.count == 1)
    }

    @Test(arguments: [401, 404, 429, 500, 503])
    func `a server that answers with an error is reached: the sentence has the status`(_ status: Int) async {
        origin.onAny { _ in .status(status) }
        await open()
        guard case .problem(let problem) = model.phase else {
            Issue.record("\(model.phase)")
            return
        }
        #expect(problem.kind == .failed)
        #expect(problem.sentence == GalleryTexts.serverAnswered(status))
        #expect(problem.details?.contains("\(status)") == true)
    }

    @Test func `a server that redirects without end, and one that hangs up, are named by their failure`() async {
        let origin = origin
        origin.onAny { _ in .redirect(to: "/photos") }
        await open()
        guard case .problem(let redirected) = model.phase else {
            Issue.record("\(model.phase)")
            return
        }
        #expect(redirected.kind == .failed)
        #expect(redirected.sentence == "The server redirects to an address that cannot be loaded.")
        origin.onAny { _ in OriginReply.status(200).resetImmediately() }
        await open()
        guard case .problem(let gone) = model.phase else {
            Issue.record("\(model.phase)")
            return
        }
        #expect(gone.kind == .unreachable)
    }
}
