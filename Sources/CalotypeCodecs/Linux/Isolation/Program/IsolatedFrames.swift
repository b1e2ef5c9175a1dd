import CSandbox
import Foundation

/// The frames of an animation, decoded in a worker that has it open.
///
/// An animation keeps its worker as long as animations keep at most half of all workers. Otherwise, each frame opens
/// the animation again in a free worker.
final class IsolatedFrames: FrameDecoder {
    let index: AnimationIndex
    private let data: Data
    private let opening: DecoderRequest
    private let workers: DecoderWorkers
    private var kept: WorkerProcess?

    /// Returns `nil` if the file has no frames.
    init?(
        _ data: Data, header: ImageHeader, limits: DecodeLimits, _ decoder: StandardDecoder, _ workers: DecoderWorkers
    ) throws(CodecError) {
        opening = DecoderRequest(decoder: decoder, operation: .openFrames(header, limits))
        let (worker, animation) = try Self.open(opening, data, workers)
        let outcome = Result { () throws(WorkerFault) in
            try animation.map { (animation) throws(WorkerFault) in
                try Self.list(animation, limits, decoder, worker, workers)
            }
        }
        switch outcome {
        case .success(let index?): self.index = index
        case .success(nil):
            workers.pool.give(back: worker)
            return nil
        case .failure(let fault):
            workers.fail(worker, fault, data)
            throw fault.error
        }
        (self.data, self.workers) = (data, workers)
        keep(worker)
    }

    deinit {
        guard let kept else { return }
        workers.pool.letGo()
        workers.pool.give(back: kept)
    }

    func pixels(of frame: Int) throws(CodecError) -> Bitmap {
        let size = index.frames[frame].rect.size
        let worker: WorkerProcess
        if let kept {
            worker = kept
            self.kept = nil
            workers.pool.letGo()
        } else {
            worker = try Self.open(opening, data, workers).worker
        }
        let request = DecoderRequest(decoder: opening.decoder, operation: .decodeFrame(frame, size))
        let outcome = Result { () throws(WorkerFault) in
            try workers.ask(worker, request, nil) {
                (answer, pixels) throws(WorkerFault) -> Result<Bitmap?, CodecError> in
                if case .failure(let error) = answer { return .failure(error) }
                return .success(try Bitmap(answer, in: pixels))
            }
        }
        switch outcome {
        case .success(let result):
            keep(worker)
            guard let bitmap = try result.get() else { throw CodecError(.tooLarge, "no memory for a frame of \(size)") }
            return bitmap
        case .failure(let fault):
            workers.fail(worker, fault, data)
            throw fault.error
        }
    }

    /// Keeps the worker, or gives it back if too many are kept, or if it must end.
    private func keep(_ worker: WorkerProcess) {
        if !worker.isSpent, workers.pool.keep() { kept = worker } else { workers.pool.give(back: worker) }
    }

    private typealias Animation = (canvas: PixelSize, loopCount: Int?, frames: Int)

    /// Opens the animation in a free worker. The animation is `nil` if the file has no frames.
    private static func open(
        _ request: DecoderRequest, _ data: Data, _ workers: DecoderWorkers
    ) throws(CodecError) -> (worker: WorkerProcess, animation: Animation?) {
        try workers.check(data)
        let worker: WorkerProcess
        do throws(WorkerFault) { worker = try workers.pool.take() } catch { throw error.error }
        let answer: WorkerAnswer
        do throws(WorkerFault) {
            answer = try workers.ask(worker, request, data) { answer, _ in answer }
        } catch {
            workers.fail(worker, error, data)
            throw error.error
        }
        switch answer {
        case .animation(let canvas, let loopCount, let frames): return (worker, (canvas, loopCount, frames))
        case .failure(let error):
            workers.pool.give(back: worker)
            throw error
        default: return (worker, nil)
        }
    }

    /// Reads the index in parts that fit into the region of pixels.
    private static func list(
        _ animation: Animation, _ limits: DecodeLimits, _ decoder: StandardDecoder, _ worker: WorkerProcess,
        _ workers: DecoderWorkers
    ) throws(WorkerFault) -> AnimationIndex {
        guard animation.frames <= limits.maxFrames else { throw WorkerFault.lied }
        var frames: [AnimationFrame] = []
        while frames.count < animation.frames {
            let request = DecoderRequest(decoder: decoder, operation: .listFrames(from: frames.count))
            frames += try workers.ask(worker, request, nil) { (answer, pixels) throws(WorkerFault) in
                guard case .frames(let count) = answer, count <= animation.frames - frames.count else {
                    throw WorkerFault.lied
                }
                // A copy: the worker could change the region between a check and the use.
                return try pixels.bytes.prefix(count, as: calotype_frame.self).map { (message) throws(WorkerFault) in
                    guard let frame = AnimationFrame(message) else { throw WorkerFault.lied }
                    return frame
                }
            }
        }
        return AnimationIndex(canvas: animation.canvas, loopCount: animation.loopCount, frames: frames)
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func prefix<Element: BitwiseCopyable>(_ count: Int, as type: Element.Type) -> [Element] {
        (0..<count).map { loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.stride, as: type) }
    }
}
