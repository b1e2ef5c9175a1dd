import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs
import Foundation

/// The bodies that clients send: how many there may be, of how many bytes, and where they are kept.
///
/// A body counts from its head until its image has been made. Its beginning is in memory. A longer one goes to a file without
/// a name in the folder of the stores, so that it takes no memory; without stores, all of it is in memory. Bytes are counted
/// as they arrive.
///
/// While there is no place or no room for another body, the slowest one that arrives gives way, if it is slower than any usual
/// client, and sooner if its client has more places: a few clients that send a byte now and then cannot keep others out.
final class Uploads: Sendable {
    private struct State {
        var total = 0
        var clients: [ByteString: Int] = [:]
        var rates: [ByteString: TokenBucket] = [:]
        var lastID: UInt64 = 0
        /// The bodies that arrive, by their places.
        var arriving: [UInt64: ArrivingUpload] = [:]

        /// Returns the body that arrives most slowly and has to give way to one of the client; `nil` if no body is slow.
        func slowest(for client: ByteString, besides own: UInt64?, at now: Duration) -> ArrivingUpload? {
            let share = clients[client] ?? 0
            var slowest: (upload: ArrivingUpload, pace: Double)?
            for upload in arriving.values where upload.place.id != own {
                let hasMore = clients[upload.place.client] ?? 0 > share + 1
                let patience = hasMore ? Uploads.shortPatience : Uploads.patience
                guard let pace = upload.pace(at: now, after: patience) else { continue }
                if pace < slowest?.pace ?? Uploads.slowPace { slowest = (upload, pace) }
            }
            return slowest?.upload
        }
    }

    private typealias Receipt = Task<Result<UploadedBody, ServerError>, Never>

    private struct ArrivingUpload {
        let start: Duration
        var bytes = 0
        let place: Place
        let receipt: Receipt

        /// Returns the average pace in bytes per second, or `nil` for a body that is younger than `patience`.
        func pace(at now: Duration, after patience: Duration) -> Double? {
            let age = now - start
            return age >= patience ? Double(bytes) / (age / .seconds(1)) : nil
        }

        /// Gives the place back, and ends the body with a 408.
        func end() {
            place.give()
            receipt.cancel()
        }
    }

    /// The time for which a body gives way to none.
    static let patience = Duration.seconds(3)
    /// That for a body whose client has at least two places more than the client of the other body.
    static let shortPatience = Duration.seconds(1)
    /// The pace below which a body gives way to another one, in bytes per second.
    static let slowPace = 16_384.0

    /// The size up to which a body is in memory, in bytes.
    static let memoryLimit = 64 << 10
    /// The number of clients whose rates are known. Beyond it, all are forgotten.
    private static let knownClients = 4096

    private let options: PostOptions
    private let held: HeldOriginals
    private let spooled: HeldOriginals
    private let folder: String?
    /// The maximum size of an image, in bytes.
    private let imageLimit: Int
    private let stopwatch: Stopwatch
    private let clock: any Clock<Duration>
    private let pool = BlockingPool(threads: 2)
    private let state = Locked(State())

    /// - Parameters:
    ///   - held: The memory for the beginnings of bodies and, without a folder, for whole ones.
    ///   - limit: The maximum size of an image, in bytes.
    init(_ options: PostOptions, _ held: HeldOriginals, folder: String?, limit: Int, _ basis: ServerBasis) {
        (self.options, self.held, self.folder) = (options, held, folder)
        spooled = HeldOriginals(limit: options.spoolBytes)
        imageLimit = limit
        clock = basis.clock
        stopwatch = Stopwatch(basis.clock)
    }

    /// The number of bodies.
    var count: Int { state.withLock { $0.total } }

    /// The bytes that have come of all bodies that arrive.
    var receivedBytes: Int { state.withLock { $0.arriving.values.reduce(0) { $0 + $1.bytes } } }

    /// The bytes of all bodies that are in files.
    var spooledBytes: Int { spooled.bytes }

    // MARK: Places

    /// The place of one body, until it is released or given to another.
    final class Place: Sendable {
        fileprivate let id: UInt64
        private let uploads: Uploads
        fileprivate let client: ByteString
        private let isGiven = Locked(false)

        fileprivate init(_ id: UInt64, _ uploads: Uploads, _ client: ByteString) {
            (self.id, self.uploads, self.client) = (id, uploads, client)
        }

        deinit { give() }

        /// Whether another body has the place.
        fileprivate var wasGiven: Bool { isGiven.withLock { $0 } }

        fileprivate func give() {
            let isFirst = isGiven.withLock { isGiven in
                defer { isGiven = true }
                return !isGiven
            }
            if isFirst { uploads.leave(client) }
        }
    }

    /// - Parameter client: The client that sends the body, by its network.
    /// - Throws: 429 if the client sends too many images in a short time, 503 if it or all clients have all places.
    func enter(_ client: ByteString) throws(ServerError) -> Place {
        let now = stopwatch.elapsed()
        typealias Entry = (id: UInt64, slowest: ArrivingUpload?)
        let entry: Result<Entry, ServerError> = state.withLock { state in
            let own = state.clients[client] ?? 0
            if own >= options.clientLimit { return .failure(.uploadsFull("the client")) }
            let isFull = state.total >= options.limit
            let slowest = isFull ? state.slowest(for: client, besides: nil, at: now) : nil
            if isFull, slowest == nil { return .failure(.uploadsFull("all clients together")) }
            // Before anything is ended for it.
            if let pause = takeToken(of: client, &state, now) { return .failure(.tooManyUploads(pause)) }
            if let slowest { state.arriving[slowest.place.id] = nil }
            // With the place of the slowest body for a moment one more than the limit.
            state.total += 1
            state.clients[client] = own + 1
            state.lastID += 1
            return .success((state.lastID, slowest))
        }
        let (id, slowest) = try entry.get()
        slowest?.end()
        return Place(id, self, client)
    }

    /// Ends the body that arrives most slowly, to make room for the one in `place`. Returns `nil` if none is slow.
    private func endSlowest(for place: Place) -> Receipt? {
        let now = stopwatch.elapsed()
        let slowest = state.withLock { state in
            let slowest = state.slowest(for: place.client, besides: place.id, at: now)
            if let slowest { state.arriving[slowest.place.id] = nil }
            return slowest
        }
        slowest?.end()
        return slowest?.receipt
    }

    private func leave(_ client: ByteString) {
        state.withLock { state in
            state.total -= 1
            let own = (state.clients[client] ?? 1) - 1
            state.clients[client] = own > 0 ? own : nil
        }
    }

    /// Returns the time until the client may send another image, or `nil` if it may now.
    private func takeToken(of client: ByteString, _ state: inout State, _ now: Duration) -> Duration? {
        guard let full = TokenBucket(perSecond: Double(options.rate) / 60, burst: options.rate) else { return nil }
        if state.rates.count >= Self.knownClients, state.rates[client] == nil { state.rates.removeAll() }
        var bucket = state.rates[client] ?? full
        // A new bucket begins at the start of the server.
        if state.rates[client] == nil { bucket = bucket.refilled(at: now) }
        defer { state.rates[client] = bucket }
        return bucket.takeToken(at: now) ? nil : max(bucket.nextToken - now, .zero)
    }

    // MARK: Bytes

    /// Throws 413 if the head announces a body that is too large, before any of it is read.
    func check(_ request: ListenerRequest) throws(ServerError) {
        guard let length = request.fields["Content-Length"].flatMap({ Int($0.string) }) else { return }
        guard length <= imageLimit + MultipartForm.overhead else { throw .bodyTooLarge(imageLimit) }
    }

    /// Receives a body to its end.
    ///
    /// - Throws: 400 if it is empty or ends early, 408 if it is too slow, or slow while others need its place or its room, 413 if
    ///   it is too large, 503 without memory or space.
    func receive(_ body: HTTPBody, in place: Place) async throws(ServerError) -> UploadedBody {
        let receipt = Receipt {
            await Result(awaiting: { [self] () async throws(ServerError) in
                try await withTimeout(
                    options.deadline, clock: clock, timedOut: ServerError(408, "the body takes too long"),
                    cancelled: .cancelled
                ) { [self] () async throws(ServerError) in
                    try await received(body, in: place)
                }
            })
        }
        let start = stopwatch.elapsed()
        state.withLock { $0.arriving[place.id] = ArrivingUpload(start: start, place: place, receipt: receipt) }
        let outcome = await withTaskCancellationHandler {
            await receipt.value
        } onCancel: {
            receipt.cancel()
        }
        state.withLock { $0.arriving[place.id] = nil }
        guard !place.wasGiven else { throw .gaveWay }
        return try outcome.get()
    }

    private func received(_ body: HTTPBody, in place: Place) async throws(ServerError) -> UploadedBody {
        var memory = Data(), reserved = Reservation()
        var file: SpoolFile?
        var chunks = body.makeAsyncIterator()
        while let chunk = try await next(&chunks) {
            let size = (file?.size ?? memory.count) + chunk.count
            guard size <= imageLimit + MultipartForm.overhead else { throw .bodyTooLarge(imageLimit) }
            if file == nil, size > Self.memoryLimit, let folder {
                let opened = try await run { () throws(SystemError) in try SpoolFile(in: folder) }
                let start = memory
                (file, memory, reserved) = (opened, Data(), Reservation())
                try await reserve(start.count, of: spooled, in: &reserved, for: place)
                try await append(start, to: opened)
            }
            try await reserve(size, of: file == nil ? held : spooled, in: &reserved, for: place)
            state.withLock { $0.arriving[place.id]?.bytes = size }
            if let file { try await append(chunk, to: file) } else { memory.append(chunk) }
        }
        guard let file else {
            guard !memory.isEmpty else { throw ServerError(400, "the body is empty") }
            return UploadedBody(memory, holding: reserved, in: place)
        }
        let mapped = try await run { () throws(SystemError) in try file.mapped() }
        return UploadedBody(mapped, holding: reserved, in: place)
    }

    /// Finds the image in a body.
    func image(in body: UploadedBody, _ form: MultipartForm?) async throws(ServerError) -> PostedImage {
        try await pool.run { [imageLimit] () throws(ServerError) in
            try PostedImage(body, in: form, limit: imageLimit)
        }
    }

    private func next(_ chunks: inout HTTPBody.Iterator) async throws(ServerError) -> Data? {
        do throws(TransportError) { return try await chunks.next() } catch {
            switch error.code {
            case .cancelled: throw .cancelled
            case .timedOut: throw ServerError(408, "the body arrives too slowly")
            default: throw ServerError(400, "the body ends early")
            }
        }
    }

    /// Reserves bytes of the body in `place`. Slow bodies give way to it.
    private func reserve(
        _ size: Int, of store: HeldOriginals, in reserved: inout Reservation, for place: Place
    ) async throws(ServerError) {
        while !reserved.cover(size, of: store) {
            guard let slow = endSlowest(for: place) else {
                throw .noRoomForUpload(
                    "all bodies together have the memory, or the \(options.spoolBytes) bytes in files")
            }
            // Its bytes are released with it.
            _ = await slow.value
        }
    }

    private func append(_ bytes: Data, to file: SpoolFile) async throws(ServerError) {
        try await run { () throws(SystemError) in try file.append(bytes) }
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(SystemError) -> Value
    ) async throws(ServerError) -> Value {
        try await pool.run { () throws(ServerError) in
            do throws(SystemError) { return try work() } catch {
                throw .noRoomForUpload("the body cannot be written: \(error)")
            }
        }
    }
}

/// The bytes that a body has of a store. They are reserved in steps, because a body may arrive byte by byte.
private struct Reservation: Sendable {
    private static let step = 16 << 10

    private var holds: [HeldOriginals.Hold] = []
    private var bytes = 0

    /// Returns `false` if the store has no room for the rest.
    mutating func cover(_ size: Int, of store: HeldOriginals) -> Bool {
        guard size > bytes else { return true }
        let missing = max(size - bytes, Self.step)
        guard let hold = store.hold(missing) else { return false }
        holds.append(hold)
        bytes += missing
        return true
    }
}

/// A body that has arrived. Its memory, its file and its place last as long as the object.
final class UploadedBody: Sendable {
    let data: Data
    private let reservation: Reservation
    private let place: Uploads.Place

    fileprivate init(_ data: Data, holding reservation: Reservation, in place: Uploads.Place) {
        (self.data, self.reservation, self.place) = (data, reservation, place)
    }
}

extension ServerError {
    fileprivate static func uploadsFull(_ whose: String) -> ServerError {
        ServerError(
            503, "too many images are being sent", reason: "too many images are being sent: \(whose) has all places",
            retryAfter: 1)
    }

    fileprivate static func tooManyUploads(_ pause: Duration) -> ServerError {
        let seconds = Int(min(max((pause / .seconds(1)).rounded(.up), 1), 3600))
        return ServerError(429, "the client sends too many images", retryAfter: seconds)
    }

    fileprivate static func noRoomForUpload(_ reason: String) -> ServerError {
        ServerError(503, "there is no room for the body", reason: reason, retryAfter: 1)
    }

    fileprivate static let gaveWay = ServerError(
        408, "the body arrives too slowly", reason: "the body arrived slowly, and gave way to another")

    static func bodyTooLarge(_ limit: Int) -> ServerError {
        ServerError(413, "the body is larger than the limit of \(limit) bytes")
    }
}
