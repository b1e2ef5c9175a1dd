import Foundation

extension IsolatedDecoder: TranscodingDecoder {
    var transcoder: (any FileTranscoder)? {
        (standard.decoder as? any TranscodingDecoder)?.transcoder.map { IsolatedTranscoder($0, by: self) }
    }
}

/// A transcoder that runs in a worker.
private struct IsolatedTranscoder: FileTranscoder {
    private let transcoder: any FileTranscoder
    private let decoder: IsolatedDecoder

    init(_ transcoder: any FileTranscoder, by decoder: IsolatedDecoder) {
        (self.transcoder, self.decoder) = (transcoder, decoder)
    }

    func transcodingMemory(for header: ImageHeader, of data: Data) -> TranscodingMemory {
        transcoder.transcodingMemory(for: header, of: data)
    }

    func transcoded(_ data: Data, within memory: TranscodingMemory) throws(CodecError) -> Data {
        try decoder.transcoded(data, within: memory)
    }
}
