#if JPEGXL
    import Foundation

    extension JPEGXLDecoder: TranscodingDecoder, FileTranscoder {
        var transcoder: (any FileTranscoder)? { self }

        func transcodingMemory(for header: ImageHeader, of data: Data) -> TranscodingMemory {
            // Measured: 24 bytes for a pixel of a photograph in 4:4:4, and for noise three times the file more.
            let working = 8 * header.stored.bitmapBytes + 6 * data.count + (32 << 20)
            // A JPEG that JPEG XL cannot code better grows by its headers.
            return TranscodingMemory(
                working: working,
                result: header.format == .jpeg ? data.count + data.count / 50 + 4096 : 8 * data.count)
        }

        func transcoded(_ data: Data, within memory: TranscodingMemory) throws(CodecError) -> Data {
            let isJPEG = data.reading { ByteReader($0).uint16(at: 0) == 0xFFD8 }
            guard isJPEG else { return try jpeg(in: data, atMost: memory.result) }
            let file = try stored(jpeg: data)
            // The program may delete the JPEG: it must come back.
            guard try jpeg(in: file, atMost: data.count) == data else {
                throw CodecError(.encodingFailed, "JPEG XL: the JPEG would not come back byte for byte")
            }
            guard file.count <= memory.result else { throw CodecError(.tooLarge, "the JPEG XL would be larger") }
            return file
        }

        private func stored(jpeg: Data) throws(CodecError) -> Data {
            let writer = try JPEGXLWriter()
            try writer.add(jpeg: jpeg)
            return try writer.finish()
        }

        private func jpeg(in file: Data, atMost limit: Int) throws(CodecError) -> Data {
            try file.reading { (bytes) throws(CodecError) in try JPEGXLReader(bytes).jpeg(atMost: limit) }
        }
    }
#endif
