import CalotypeBase
import Foundation

/// Previews that each begin at the first byte, of which those without new detail are left out.
final class SeparatePreviews: PreviewSource {
    typealias Preview = @Sendable (Data, DecodeSize) throws(CodecError) -> ImagePreview?

    let heldBytes = 0
    private let preview: Preview
    private let state = Locked(State())

    private struct State {
        /// Whether no later bytes make a preview possible.
        var isOver = false
        /// A hash of the last preview's pixels, because codecs draw the same again while too few bytes arrive.
        var last: Int?
    }

    /// - Parameter preview: Decodes a preview; see ``SeparatePreviewDecoder/preview(of:header:scaledTo:)``.
    init(_ preview: @escaping Preview) { self.preview = preview }

    func decode(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> ImagePreview? {
        guard !state.withLock({ $0.isOver }), let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else {
            return nil
        }
        do throws(CodecError) {
            // The bytes stay in place during the call, and nothing keeps or changes them.
            let data = Data(bytesNoCopy: start, count: bytes.count, deallocator: .none)
            guard let preview = try preview(data, size), isNew(preview.bitmap) else { return nil }
            return preview
        } catch {
            // More bytes may mend nothing but damage: a part that ends its worker would end the next one, too.
            guard error.code != .damaged else { throw error }
            state.withLock { $0.isOver = true }
            guard error.code == .unsupported else { throw error }
            return nil
        }
    }

    private func isNew(_ bitmap: Bitmap) -> Bool {
        var hasher = Hasher()
        bitmap.withUnsafeBytes { hasher.combine(bytes: $0) }
        let hash = hasher.finalize()
        return state.withLock { state in
            defer { state.last = hash }
            return state.last != hash
        }
    }
}
