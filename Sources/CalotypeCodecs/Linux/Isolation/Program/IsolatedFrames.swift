import CSandbox
import Foundation

/// The frames of an animation, decoded in a worker that has it open.
///
/// An animation keeps its worker as long as animations keep at most half of all workers. Otherwise, each frame opens
/// the animation again in a free worker.
final class IsolatedFrames: FrameDecoder {
    let index: AnimationIndex
    private let data: Data
    private let header: ImageHeader
    private let gamut: ColorGamut
    private let opening: DecoderRequest
    private let workers: DecoderWorkers
    private let terms: DecodeTerms
    private var kept: WorkerProcess?

    /// Returns `nil` if the file has no frames.
    init?(
        _ data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut, _ isolated: IsolatedDecoder
    ) throws(CodecError) {
        let (decoder, workers, terms) = (isolated.standard, isolated.workers, isolated.terms)
        let opening = DecoderRequest(decoder: decoder, operation: .openFrames(header, limits, gamut))
        try workers.check(data)
        let outcome = try workers.atMostTwice {
            () throws(WorkerFault) -> Result<(WorkerProcess, AnimationIndex)?, CodecError> in
            switch try Self.open(opening, data, workers, under: terms) {
            case .failure(let error): return .failure(error)
            case .success(let (worker, animation)):
                guard let animation else {
                    workers.pool.give(back: worker)
                    return .success(nil)
                }
                return try workers.using(worker, data) { () throws(WorkerFault) in
                    .success((worker, try Self.list(animation, limits, decoder, worker, workers, under: terms)))
                }
            }
        }
        guard let (worker, index) = try outcome.get() else { return nil }
        (self.index, self.header, self.opening, self.data) = (index, header, opening, data)
        (self.workers, self.terms, self.gamut) = (workers, terms, gamut)
        keep(worker)
    }

    deinit {
        guard let kept else { return }
        workers.pool.letGo()
        workers.pool.give(back: kept)
    }

    func pixels(of frame: Int) throws(CodecError) -> Bitmap {
        let size = index.frames[frame].rect.size
        try workers.check(data)
        let outcome = try workers.atMostTwice { () throws(WorkerFault) in try decode(frame, size) }
        guard let bitmap = try outcome.get() else { throw CodecError(.tooLarge, "no memory for a frame of \(size)") }
        return bitmap
    }

    /// Decodes in the worker that has the animation open, or in a free one. The bitmap is `nil` if memory is exhausted.
    private func decode(_ frame: Int, _ size: PixelSize) throws(WorkerFault) -> Result<Bitmap?, CodecError> {
        let worker: WorkerProcess
        if let kept {
            worker = kept
            self.kept = nil
            workers.pool.letGo()
        } else {
            switch try Self.open(opening, data, workers, under: terms) {
            case .failure(let error): return .failure(error)
            case .success(let opened): worker = opened.worker
            }
        }
        return try workers.using(worker, data) { () throws(WorkerFault) in
            let request = DecoderRequest(
                decoder: opening.decoder, operation: .decodeFrame(frame, size, of: header, in: gamut))
            let bitmap = try workers.ask(worker, request, nil, under: terms) {
                (answer, pixels) throws(WorkerFault) -> Result<Bitmap?, CodecError> in
                if case .failure(let error) = answer { return .failure(error) }
                return .success(try Bitmap(answer, in: pixels))
            }
            workers.forget(data)
            keep(worker)
            return bitmap
        }
    }

    /// Keeps the worker for this animation, or returns it to the pool if it is to end or animations keep too many
    /// workers.
    private func keep(_ worker: WorkerProcess) {
        if !worker.keepsTooMuch, workers.pool.keep() { kept = worker } else { workers.pool.give(back: worker) }
    }

    private typealias Animation = (canvas: PixelSize, loopCount: Int?, frames: Int)

    /// Opens the animation in a free worker. The animation is `nil` if the file has no frames.
    private static func open(
        _ request: DecoderRequest, _ data: Data, _ workers: DecoderWorkers, under terms: DecodeTerms
    ) throws(WorkerFault) -> Result<(worker: WorkerProcess, animation: Animation?), CodecError> {
        let worker = try workers.pool.take(under: terms)
        return try workers.using(worker, data) { () throws(WorkerFault) in
            switch try workers.ask(worker, request, data, under: terms, { answer, _ in answer }) {
            case .animation(let canvas, let loopCount, let frames):
                return .success((worker, (canvas, loopCount, frames)))
            case .failure(let error):
                workers.pool.give(back: worker)
                return .failure(error)
            default: return .success((worker, nil))
            }
        }
    }

    /// Reads the index in parts that fit into the pixel region.
    private static func list(
        _ animation: Animation, _ limits: DecodeLimits, _ decoder: StandardDecoder, _ worker: WorkerProcess,
        _ workers: DecoderWorkers, under terms: DecodeTerms
    ) throws(WorkerFault) -> AnimationIndex {
        guard animation.frames <= limits.maxFrames else { throw WorkerFault.lied }
        var frames: [AnimationFrame] = []
        while frames.count < animation.frames {
            let request = DecoderRequest(decoder: decoder, operation: .listFrames(from: frames.count))
            frames += try workers.ask(worker, request, nil, under: terms) { (answer, pixels) throws(WorkerFault) in
                guard case .frames(let count) = answer, count <= animation.frames - frames.count else {
                    throw WorkerFault.lied
                }
                return try (0..<count).map { (number) throws(WorkerFault) in
                    // Copy the frame: the worker could change the region between a check and the use.
                    let offset = number * MemoryLayout<calotype_frame>.stride
                    let message = pixels.bytes.loadUnaligned(fromByteOffset: offset, as: calotype_frame.self)
                    guard let frame = AnimationFrame(message) else { throw WorkerFault.lied }
                    return frame
                }
            }
        }
        return AnimationIndex(canvas: animation.canvas, loopCount: animation.loopCount, frames: frames)
    }
}
