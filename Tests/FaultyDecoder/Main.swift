import CalotypeCodecs

/// `calotype-decoder` with a codec that does whatever its file asks for.
@main
struct FaultyDecoderProgram {
    static func main() { DecoderWorker.run(adding: [FaultyDecoder.standard]) }
}
