package import Foundation

/// A decoder that may have a transcoder.
protocol TranscodingDecoder: ImageDecoder {
    var transcoder: (any FileTranscoder)? { get }
}

/// Stores files of another format in its own without any loss, and brings them back.
protocol FileTranscoder: Sendable {
    /// Returns the file in the other form, from which this method makes the same bytes again.
    ///
    /// - Throws: `unsupported` if the file is in none of the two forms, `damaged`, or `tooLarge` if the result would be larger
    ///   than ``TranscodingMemory/result``.
    func transcoded(_ data: Data, within memory: TranscodingMemory) throws(CodecError) -> Data

    func transcodingMemory(for header: ImageHeader, of data: Data) -> TranscodingMemory
}

/// The memory for another form of a file.
package struct TranscodingMemory: Hashable, Sendable {
    /// The peak memory in bytes, without both files.
    package let working: Int
    /// The largest result in bytes.
    package let result: Int
}

extension DecoderRegistry {
    /// Stores a JPEG without any loss as JPEG XL, which takes a tenth to a fifth less, and brings such a JPEG back byte for byte.
    /// Blocks the calling thread.
    ///
    /// - Throws: `unsupported` for files of other formats, and for a JPEG XL that was no JPEG; `tooLarge` beyond the limits;
    ///   `encodingFailed` if the result would not give the same bytes back.
    package func transcoded(_ data: Data, limits: DecodeLimits = DecodeLimits()) throws(CodecError) -> Data {
        let (plan, transcoder) = try transcodingPlan(for: data, limits: limits)
        return try transcoder.transcoded(data, within: plan)
    }

    /// Returns the memory that ``transcoded(_:limits:)`` takes.
    package func transcodingMemory(for data: Data, limits: DecodeLimits) throws(CodecError) -> TranscodingMemory {
        try transcodingPlan(for: data, limits: limits).0
    }

    private func transcodingPlan(
        for data: Data, limits: DecodeLimits
    ) throws(CodecError) -> (TranscodingMemory, any FileTranscoder) {
        let header = try recognize(data).header
        guard header.format == .jpeg || header.format == .jpegXL else {
            throw CodecError(.unsupported, "\(header.format) has no other form without loss: only JPEG has")
        }
        guard let transcoder = decoders.compactMap({ ($0 as? any TranscodingDecoder)?.transcoder }).last else {
            throw CodecError(.unsupported, "this build cannot write JPEG XL\(MissingFormat.remedy(trait: "JPEGXL"))")
        }
        try limits.check(header)
        let memory = transcoder.transcodingMemory(for: header, of: data)
        guard memory.working <= limits.maxDecodeBytes else {
            throw CodecError(
                .tooLarge,
                "\(header.format) of \(header.stored) pixels: its other form takes \(memory.working >> 20) MB of memory, "
                    + "at most \(limits.maxDecodeBytes >> 20) MB are allowed")
        }
        return (memory, transcoder)
    }
}
