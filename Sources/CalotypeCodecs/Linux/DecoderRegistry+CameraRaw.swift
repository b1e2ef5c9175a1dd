import CalotypeBase
import Foundation

extension DecoderRegistry {
    /// Returns the largest preview of a camera's raw file, in the orientation of the raw file; `nil` for files of other kinds.
    ///
    /// - Throws: `unsupported` if the raw file has no preview, or no decoder reads JPEG; `damaged` if the preview is damaged, or
    ///   lies outside the file.
    func preview(inCameraRaw data: Data) throws(CodecError) -> RecognizedImage? {
        let preview = try data.reading { (bytes) throws(CodecError) in try CameraRaw(ByteReader(bytes))?.preview() }
        guard let preview else { return nil }
        let part = data.dropFirst(preview.range.lowerBound).prefix(preview.range.count)
        for decoder in Array(decoders).reversed() where decoder.mediaTypes.contains(ImageFormat.jpeg.mediaType) {
            // A program's decoder may expect indices that begin at 0, which those of a part do not.
            let file = Self.isOwn(decoder) ? part : Data(Array(part))
            guard var header = try decoder.header(of: file) else { continue }
            header.format = .cameraRaw
            header.orientation = preview.orientation ?? header.orientation
            return RecognizedImage(decoder: decoder, header: header, file: file)
        }
        throw CodecError(.unsupported, "no decoder reads the preview of the camera RAW, which is a JPEG")
    }
}
