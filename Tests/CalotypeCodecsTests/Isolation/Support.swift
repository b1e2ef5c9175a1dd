import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing
import calotype_faulty_decoder

/// Workers whose codec does what a file asks for.
struct FaultyWorkers {
    let workers: DecoderWorkers
    let decoders: DecoderRegistry

    init(
        limit: Int = 1, reuse: Int = 100, deadline: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(), readsHeaderInSwift: Bool = true,
        drawsVectors: Bool = false,
        program: String = Programs.path("calotype-faulty-decoder")
    ) {
        workers = DecoderWorkers(
            limit: limit, reuse: reuse, deadline: deadline, program: program, clock: clock, variables: [:])
        let standard = FaultyDecoder.standard(readsHeaderInSwift: readsHeaderInSwift, drawsVectors: drawsVectors)
        decoders = DecoderRegistry([IsolatedDecoder(standard: standard, workers: workers)])
    }

    func decode(_ fault: Fault, _ number: Int = 0, side: Int = 16) throws(CodecError) -> Bitmap {
        try decoders.decode(FaultyDecoder.file(fault, number, side: side))
    }

    /// Returns what a good codec makes of the number.
    static func good(_ number: Int, side: Int = 16) -> [UInt32] {
        (0..<side * side).map { 0xFF00_0000 | (UInt32(number) &+ UInt32($0)) & 0xFF_FFFF }
    }
}

enum Programs {
    /// Returns the path of a program that the build places next to the tests.
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: name).path
    }
}

extension Bitmap {
    /// All pixels in order.
    var words: [UInt32] { withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) } }
}
