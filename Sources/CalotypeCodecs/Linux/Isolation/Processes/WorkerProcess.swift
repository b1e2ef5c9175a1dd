import CSandbox
import CalotypeBase
import Foundation
import Glibc

/// The program's handle to one worker process.
///
/// After the first fault, the program ends the process and sends it no further request.
// Unchecked: one thread at a time uses a worker; the pool hands it over under its lock.
final class WorkerProcess: @unchecked Sendable {
    /// The number of requests that carried a file.
    private(set) var images = 0
    /// Whether the worker keeps more memory than it may between images.
    private(set) var keepsTooMuch = false
    private let child: ChildHandle
    private let usage: WorkerUsage
    private let socket: SharedDescriptor
    private var input: SharedRegion?
    private var output: SharedRegion?
    private let outputFile: SharedDescriptor
    /// The numbers of bytes of `input` and `output` that earlier requests used. The next request clears them, so that
    /// no codec sees another image there.
    private var (usedInput, usedOutput) = (0, 0)
    /// The region of the last large result, and its descriptor. A result of the same size reuses them if no bitmap uses
    /// the region any longer. The worker unmaps the region after each image: otherwise, decoding an image could change
    /// the bitmap of an earlier one.
    private var large: SharedRegion?
    private var largeFile: SharedDescriptor?
    private let kept: KeptRegions
    private var serial = UInt64.random(in: 0...UInt64(UInt32.max))
    private var isReady = false
    /// The memory that the worker may map; `nil` until it is ready, or if there is no limit.
    private var allowance: MemoryAllowance?
    private var outcome: ChildHandle.End?

    init(_ program: WorkerProgram, keeping kept: KeptRegions) throws(WorkerFault) {
        self.kept = kept
        let path = try program.executable()
        var ends: [Int32] = [-1, -1]
        guard calotype_socket_pair(&ends) == 0, let own = SharedDescriptor(ends[0]),
            let other = SharedDescriptor(ends[1]),
            let input = SharedRegion.forFiles(SharedRegion.smallest),
            let output = SharedRegion.forPixels(SharedRegion.smallest)
        else { throw WorkerFault(.start, "no descriptor or memory for a decoder") }
        // Move the descriptors above the numbers that they get in the worker, so that none replaces another there.
        let moved = [other, input.descriptor, output.descriptor].map { SharedDescriptor($0.use(calotype_moved)) }
        var arguments = ([path] + program.arguments).map { strdup($0) } + [nil]
        var environment = program.environment.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process = pid_t()
        let status = withExtendedLifetime(moved) {
            calotype_spawn(path, &arguments, &environment, moved.map { $0?.number ?? -1 }, &process)
        }
        guard status == 0 else {
            throw WorkerFault(.start, "\(path) does not start: \(String(cString: strerror(status)))")
        }
        child = ChildHandle(process)
        usage = WorkerUsage(process, countsThreads: program.decoders.contains(where: \.startsThreads))
        (socket, self.input, self.output) = (own, input.region, output.region)
        outputFile = output.descriptor
    }

    /// The process ID.
    var process: pid_t { child.number }

    /// The processor time since the worker's start, or `nil` if it has ended.
    var processorTime: Duration? { usage.processorTime }

    deinit { end() }

    /// Ends the process if it is still running, and waits until it has ended.
    func end() {
        if outcome == nil { outcome = child.end() }
    }

    /// Whether the worker has ended, or sent a message without a request.
    var isUnusable: Bool {
        var state = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        return outcome != nil || isReady && poll(&state, 1, 0) != 0
    }

    /// Returns the fault of a worker that ended by itself.
    ///
    /// - Parameter limit: The limit on the worker's memory in bytes, or `nil` if there was no limit.
    private func endedFault(limit: Int?) -> WorkerFault {
        end()
        let end = outcome ?? ChildHandle.End()
        if let limit, end.status == CALOTYPE_NO_MEMORY { return .memory(limit) }
        // A worker that is not ready has run no codec, and its own filter permits what it does before.
        if !isReady, end.signal == SIGSYS { return .filtered }
        return .ended(signal: end.signal, status: end.status)
    }

    // MARK: - Messages

    /// Waits until the worker has loaded its libraries and dropped its privileges.
    ///
    /// If it throws `late`, the worker may still become ready for another caller.
    func becomeReady(under terms: DecodeTerms) throws(WorkerFault) {
        guard !isReady else { return }
        let answer = try receive(within: .seconds(30), under: terms, memoryLimit: nil)
        guard answer.serial == 0, answer.kind == UInt32(CALOTYPE_HELLO), answer.text_length <= CALOTYPE_TEXT_LENGTH
        else { throw WorkerFault.lied }
        guard answer.status == UInt32(CALOTYPE_VALUE) else { throw WorkerFault(.start, text(in: answer.text)) }
        if !Sanitizer.isAddress { allowance = usage.mappedBytes.map { MemoryAllowance(base: $0) } }
        isReady = true
    }

    /// Sends a request and the file, and waits for the answer.
    ///
    /// - Parameters:
    ///   - data: The file, or `nil` if the request concerns an open animation.
    ///   - limit: The time limit of the worker, besides that of the caller.
    ///   - most: The limit on the worker's processor time, or `nil` (the default) if there is none.
    ///   - use: Called with the checked answer and the pixel region, before the worker gets another request.
    func answer<Result>(
        _ request: DecoderRequest, _ data: Data?, within limit: Duration, working most: Duration? = nil,
        under terms: DecodeTerms,
        _ use: (WorkerAnswer, SharedRegion) throws(WorkerFault) -> Result
    ) throws(WorkerFault) -> Result {
        if data != nil { images += 1 }
        serial += 1
        var message = request.message(serial: serial, length: data?.count ?? 0)
        var descriptors: [SharedDescriptor] = []
        if let data { message.new_input = try place(data, &descriptors) }
        let pixels = try pixelRegion(request, &message, &descriptors)
        let regions = grownInput + Int(message.new_output)
        let memoryLimit = limitMemory(request, regions)
        try send(message, descriptors)
        let answer = try receive(within: limit, working: most, under: terms, memoryLimit: memoryLimit)
        try checkUsage(regions)
        let reader = AnswerReader(
            serial: serial, kind: request.kind, formats: request.decoder.formats, resultSize: request.resultSize,
            gamut: request.gamut, capacity: pixels.bytes.count, fileLength: data?.count ?? .max)
        guard let checked = reader.read(answer), !hasSentMore else { throw .lied }
        if let size = input?.bytes.count, size > SharedRegion.largestKept { input = nil }
        if usedInput > kept.files, !request.keepsFile, let input, input.freePages() { usedInput = 0 }
        return try use(checked, pixels)
    }

    /// Returns the memory of all regions to the system. Called while the worker is idle.
    func giveUpRegions() {
        (large, largeFile) = (nil, nil)
        if let input, input.freePages() { usedInput = 0 }
        if let output, output.freePages() { usedOutput = 0 }
    }

    /// Copies the file into the input region, and clears the rest. Replaces the region if it is too small.
    ///
    /// - Returns: The size of the new region in bytes, or 0 if the old region is large enough.
    private func place(_ data: Data, _ descriptors: inout [SharedDescriptor]) throws(WorkerFault) -> UInt64 {
        var size = 0
        if input.map({ $0.bytes.count < data.count }) ?? true {
            size = SharedRegion.capacity(for: data.count)
            // Free the old region first: the worker no longer needs it.
            input = nil
            guard let new = SharedRegion.forFiles(size) else { throw Self.noMemory }
            input = new.region
            descriptors.append(new.descriptor)
            usedInput = 0
        }
        guard let input else { return 0 }
        data.reading { input.bytes.copyMemory(from: $0) }
        if data.count < usedInput {
            let tail = UnsafeMutableRawBufferPointer(rebasing: input.bytes[data.count..<usedInput])
            tail.initializeMemory(as: UInt8.self, repeating: 0)
        }
        usedInput = data.count
        return UInt64(size)
    }

    /// Returns the region for the result. The bitmap of a large result uses the region itself instead of a copy.
    ///
    /// The region contains nothing of earlier results.
    private func pixelRegion(
        _ request: DecoderRequest, _ message: inout calotype_request, _ descriptors: inout [SharedDescriptor]
    ) throws(WorkerFault) -> SharedRegion {
        let count = request.resultBytes
        guard let output, output.clear(outputFile, count: usedOutput) else { throw Self.noMemory }
        usedOutput = 0
        if count <= output.bytes.count {
            if case .listFrames = request.operation { usedOutput = output.bytes.count } else { usedOutput = count }
            return output
        }
        message.new_output = UInt64(count)
        if isKnownUniquelyReferenced(&large), let large, let largeFile, large.bytes.count == count {
            guard large.clear(largeFile, count: count) else { throw Self.noMemory }
            descriptors.append(largeFile)
            return large
        }
        // Free the old region before allocating the new one.
        if count <= kept.pixels { (large, largeFile) = (nil, nil) }
        guard let new = SharedRegion.forPixels(count) else { throw Self.noMemory }
        descriptors.append(new.descriptor)
        if count <= kept.pixels { (large, largeFile) = (new.region, new.descriptor) }
        return new.region
    }

    private static let noMemory = WorkerFault(.start, "no memory to share with a decoder")

    private func send(_ message: calotype_request, _ descriptors: [SharedDescriptor]) throws(WorkerFault) {
        let count = withUnsafeBytes(of: message) {
            calotype_send(socket.number, $0.baseAddress, $0.count, descriptors.map(\.number), Int32(descriptors.count))
        }
        withExtendedLifetime(descriptors) {}
        guard count == MemoryLayout<calotype_request>.size else { throw endedFault(limit: nil) }
    }

    private func receive(
        within limit: Duration, working most: Duration? = nil, under terms: DecodeTerms, memoryLimit: Int?
    ) throws(WorkerFault) -> calotype_answer {
        let wait = AnswerWait(limit, from: .now), begun = usage.processorTime, given = terms.timeLeft?()
        while true {
            var state = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
            // The worker cannot use up its processor time before that time has passed.
            let idle = most.flatMap { most in timeWorked(since: begun).map { most - $0 } }
            let left = [terms.timeLeft?(), idle].compactMap(\.self).min()
            let ready = poll(&state, 1, wait.slice(at: .now, left: left))
            if ready > 0 { break }
            if ready == 0, wait.isOver(at: .now) { throw .deadline(limit) }
            if ready == 0, let given, let left = terms.timeLeft?(), left <= .zero {
                throw .late(given, worked: timeWorked(since: begun))
            }
            if ready == 0, let most, let worked = timeWorked(since: begun), worked >= most { throw .budget }
            // A worker that is not ready has read no file.
            if isReady, usage.hasTooManyThreads { throw .threads }
        }
        var answer = calotype_answer()
        // With MSG_TRUNC, `recv` returns the full length of a message that is too long for `answer`.
        let count = withUnsafeMutableBytes(of: &answer) {
            recv(socket.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_TRUNC))
        }
        if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { throw endedFault(limit: memoryLimit) }
        guard count == MemoryLayout<calotype_answer>.size else { throw .lied }
        return answer
    }

    private func timeWorked(since begun: Duration?) -> Duration? {
        guard let begun, let now = usage.processorTime else { return nil }
        return now - begun
    }

    /// Whether the worker has sent a second answer. The end of the connection does not count as one.
    private var hasSentMore: Bool {
        var byte: UInt8 = 0
        return recv(socket.number, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    // MARK: - Memory and threads

    /// The size by which the input region has grown since the start, in bytes.
    private var grownInput: Int { max((input?.bytes.count ?? 0) - SharedRegion.smallest, 0) }

    /// Limits the memory that the worker may map during a request. Returns the bytes allowed for the image in addition to
    /// kept memory and shared regions, or `nil` if no limit was set.
    ///
    /// - Parameter regions: The size by which the shared regions exceed those at the start, in bytes.
    private func limitMemory(_ request: DecoderRequest, _ regions: Int) -> Int? {
        guard let mapped = usage.mappedBytes, var allowance else { return nil }
        let image = MemoryAllowance.bytes(forCost: request.cost)
        switch request.operation {
        case .openFrames: allowance.open(animation: image)
        case .listFrames, .decodeFrame: break
        case .header, .colors, .decode, .decodePart, .decodePreview, .transcode: allowance.open(animation: 0)
        }
        self.allowance = allowance
        let limit = allowance.limit(mapped: mapped, regions: regions, image: image)
        return calotype_limit_memory(process, UInt64(limit)) == 0 ? image : nil
    }

    /// Checks a worker that has answered.
    private func checkUsage(_ regions: Int) throws(WorkerFault) {
        if usage.hasTooManyThreads { throw .threads }
        guard let allowance, let mapped = usage.mappedBytes else { return }
        // The worker may still have the region of the result, or unmap it at this moment.
        keepsTooMuch = allowance.isExceeded(by: mapped, regions: regions)
    }
}

extension DecoderRequest {
    /// Whether the worker reads the file again in a later request, which concerns the open animation.
    fileprivate var keepsFile: Bool {
        switch operation {
        case .openFrames, .listFrames, .decodeFrame: true
        case .header, .colors, .decode, .decodePart, .decodePreview, .transcode: false
        }
    }
}
