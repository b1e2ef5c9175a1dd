import CalotypeCodecs

/// `calotype-decoder`: decodes images for the program that starts it, and can do nothing else.
@main
struct Decoder {
    static func main() { DecoderWorker.run() }
}
