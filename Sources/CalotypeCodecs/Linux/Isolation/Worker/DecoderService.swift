import CSandbox
import CalotypeBase
import Foundation
import Glibc

/// The loop of a worker: it reads a request, decodes, and answers.
///
/// The worker trusts the requests of the program, but not the files in them.
final class DecoderService {
    private let decoders: [UInt32: any ImageDecoder]
    private var input: SharedRegion?
    private let output: SharedRegion
    private let results = ResultMemory()
    /// The frames of the animation that was opened last.
    private var frames: (any FrameDecoder)?

    init(_ decoders: [StandardDecoder], _ input: SharedRegion, _ output: SharedRegion) {
        self.decoders = Dictionary(decoders.map { ($0.number, $0.decoder) }) { first, _ in first }
        (self.input, self.output) = (input, output)
        let results = results
        PixelMemory.source = { results.memory(count: $0) }
    }

    /// Sends a greeting, then answers requests until the socket closes.
    func run() {
        var greeting = calotype_answer()
        greeting.kind = UInt32(CALOTYPE_HELLO)
        greeting.status = UInt32(CALOTYPE_VALUE)
        Self.send(greeting)
        var request = calotype_request()
        var descriptors: [Int32] = [-1, -1]
        while true {
            let count = withUnsafeMutableBytes(of: &request) {
                calotype_receive(Int32(CALOTYPE_SOCKET), $0.baseAddress, $0.count, &descriptors)
            }
            guard count == MemoryLayout<calotype_request>.size, let pixels = map(request, descriptors) else { return }
            Self.send(answer(request, pixels))
            if let size = input?.bytes.count, size > SharedRegion.largestKept { input = nil }
        }
    }

    static func send(_ answer: calotype_answer) {
        withUnsafeBytes(of: answer) { _ = Glibc.send(Int32(CALOTYPE_SOCKET), $0.baseAddress, $0.count, 0) }
    }

    /// Maps the regions that came with a request. Returns the region for its pixels, or `nil` if a region is missing or
    /// cannot be mapped.
    private func map(_ request: calotype_request, _ descriptors: [Int32]) -> SharedRegion? {
        var files = descriptors.compactMap { SharedDescriptor($0) }[...]
        if request.new_input > 0 {
            input = nil
            guard let file = files.popFirst() else { return nil }
            input = SharedRegion(mapping: file, count: Int(clamping: request.new_input), isWritable: false)
            guard input != nil else { return nil }
        }
        guard request.new_output > 0 else { return output }
        guard let file = files.popFirst() else { return nil }
        return SharedRegion(mapping: file, count: Int(clamping: request.new_output), isWritable: true, isFilled: true)
    }

    private func answer(_ request: calotype_request, _ pixels: SharedRegion) -> calotype_answer {
        var answer = calotype_answer()
        do throws(CodecError) {
            let isValue = try decode(request, pixels, &answer)
            answer.status = UInt32(isValue ? CALOTYPE_VALUE : CALOTYPE_NOTHING)
        } catch {
            answer = calotype_answer()
            answer.status = UInt32(CALOTYPE_ERROR)
            answer.code = UInt32(AnswerReader.codes.firstIndex(of: error.code) ?? 0)
            answer.set(error.message)
        }
        (answer.serial, answer.kind) = (request.serial, request.kind)
        return answer
    }

    /// Performs a request and fills in the answer. Returns `false` if there is no value, for example for a file of
    /// another format.
    private func decode(
        _ request: calotype_request, _ pixels: SharedRegion, _ answer: inout calotype_answer
    ) throws(CodecError) -> Bool {
        guard let decoder = decoders[request.decoder] else {
            throw CodecError(.unsupported, "there is no such decoder")
        }
        switch Int(request.kind) {
        case CALOTYPE_HEADER:
            guard let header = try decoder.header(of: file(request)) else { return false }
            answer.header = calotype_header(header)
            // The program would take it for the answer of a worker that has been taken over.
            guard ImageHeader(answer.header, formats: [header.format]) != nil else {
                throw CodecError(
                    .unsupported,
                    "\(header.format) of \(header.stored) pixels with \(header.samplesPerPixel) samples each, "
                        + "\(header.bitsPerSample) bits a sample and \(header.frameCount ?? 1) frames is not supported")
            }
        case CALOTYPE_COLORS:
            guard let name = decoder.colors(of: file(request)) else { return false }
            answer.set(name)
        case CALOTYPE_DECODE, CALOTYPE_DECODE_PART:
            let (header, size) = try (self.header(request), DecodeSize(request))
            let (file, isPart) = (self.file(request), Int(request.kind) == CALOTYPE_DECODE_PART)
            return try fill(&answer, pixels, size.result) { (_) throws(CodecError) in
                isPart
                    ? try decoder.decodePartial(file, header: header, scaledTo: size)
                    : try decoder.decode(file, header: header, scaledTo: size)
            }
        case CALOTYPE_DECODE_PREVIEW:
            guard let decoder = decoder as? any SeparatePreviewDecoder else {
                throw CodecError(.unsupported, "there are no such previews")
            }
            let (header, size) = try (self.header(request), DecodeSize(request))
            let file = self.file(request)
            return try fill(&answer, pixels, size.result) { (answer) throws(CodecError) in
                guard let preview = try decoder.preview(of: file, header: header, scaledTo: size) else { return nil }
                answer.header.width = UInt64(clamping: preview.detail.width)
                answer.header.height = UInt64(clamping: preview.detail.height)
                return preview.bitmap
            }
        case CALOTYPE_OPEN_FRAMES:
            frames = try (decoder as? any AnimationDecoder)?.openFrames(
                of: file(request), header: header(request), limits: DecodeLimits(request),
                gamut: ColorGamut(messageNumber: request.number) ?? .sRGB)
            guard let index = frames?.index else { return false }
            answer.width = UInt64(index.canvas.width)
            answer.height = UInt64(index.canvas.height)
            answer.count = UInt64(index.frames.count)
            answer.loop_count = index.loopCount.map { Int64($0) } ?? -1
        case CALOTYPE_LIST_FRAMES: answer.count = try list(from: Int(clamping: request.number), pixels)
        case CALOTYPE_DECODE_FRAME:
            let number = Int(clamping: request.number)
            guard let frames, frames.index.frames.indices.contains(number) else {
                throw CodecError(.unsupported, "there is no such frame")
            }
            return try fill(&answer, pixels, frames.index.frames[number].rect.size) { (_) throws(CodecError) in
                try frames.pixels(of: number)
            }
        case CALOTYPE_TRANSCODE:
            guard let transcoder = (decoder as? any TranscodingDecoder)?.transcoder else {
                throw CodecError(.unsupported, "there is no such transcoder")
            }
            let memory = TranscodingMemory(working: 0, result: min(Int(clamping: request.number), pixels.bytes.count))
            let file = try transcoder.transcoded(self.file(request), within: memory)
            file.reading { pixels.bytes.copyMemory(from: $0) }
            answer.count = UInt64(file.count)
        default: throw CodecError(.unsupported, "there is no such request")
        }
        return true
    }

    /// Returns the file of a request without a copy. Closes the open animation: this file may have replaced its file.
    private func file(_ request: calotype_request) -> Data {
        frames = nil
        let count = Int(clamping: request.input_length)
        guard let input, let start = input.bytes.baseAddress, count > 0, count <= input.bytes.count else {
            return Data()
        }
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { _, _ in withExtendedLifetime(input) {} })
    }

    private func header(_ request: calotype_request) throws(CodecError) -> ImageHeader {
        let formats = [ImageFormat(rawValue: text(in: request.header.format))]
        guard let header = ImageHeader(request.header, formats: formats) else {
            throw CodecError(.unsupported, "there is no such header")
        }
        return header
    }

    /// Runs `decode`, and copies the pixels into the shared region unless they are already there. Returns `false` if
    /// `decode` returns `nil`.
    private func fill(
        _ answer: inout calotype_answer, _ pixels: SharedRegion, _ size: PixelSize,
        _ decode: (inout calotype_answer) throws(CodecError) -> Bitmap?
    ) throws(CodecError) -> Bool {
        results.offer(pixels, count: size.bitmapBytes)
        defer { results.offer(nil, count: 0) }
        guard let bitmap = try decode(&answer) else { return false }
        guard bitmap.size == size, bitmap.byteCount <= pixels.bytes.count else {
            throw CodecError(.damaged, "\(bitmap.size) pixels came out, \(size) were announced")
        }
        if bitmap.memory.bytes.baseAddress != pixels.bytes.baseAddress {
            bitmap.withUnsafeBytes { pixels.bytes.copyMemory(from: $0) }
        }
        answer.width = UInt64(bitmap.width)
        answer.height = UInt64(bitmap.height)
        answer.stride = UInt64(bitmap.stride)
        answer.has_alpha = bitmap.hasAlpha ? 1 : 0
        answer.count = bitmap.gamut.messageNumber
        return true
    }

    /// Writes as many frames of the open animation into the shared region as fit. Returns their number.
    private func list(from first: Int, _ pixels: SharedRegion) throws(CodecError) -> UInt64 {
        guard let frames = frames?.index.frames, first < frames.count else {
            throw CodecError(.unsupported, "there is no such frame")
        }
        let size = MemoryLayout<calotype_frame>.stride
        let part = frames[first...].prefix(pixels.bytes.count / size)
        for (place, frame) in part.enumerated() {
            pixels.bytes.storeBytes(of: calotype_frame(frame), toByteOffset: place * size, as: calotype_frame.self)
        }
        return UInt64(part.count)
    }
}

extension calotype_answer {
    mutating func set(_ text: String) {
        write(text, to: &self.text)
        text_length = UInt32(min(text.utf8.count, Int(CALOTYPE_TEXT_LENGTH)))
    }
}
