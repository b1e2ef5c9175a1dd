import CSandbox
import CalotypeCodecs
import Testing

@Suite struct AnswerReaderTests {
    private static let size = PixelSize(width: 40, height: 30)

    private static func reader(_ kind: Int) -> AnswerReader {
        AnswerReader(
            serial: 9, kind: UInt32(kind), formats: [.jpeg, .png], resultSize: size, capacity: 4 * 40 * 30,
            fileLength: 100)
    }

    private static func answer(_ kind: Int, _ status: Int = CALOTYPE_VALUE) -> calotype_answer {
        var answer = calotype_answer()
        (answer.serial, answer.kind, answer.status) = (9, UInt32(kind), UInt32(status))
        (answer.width, answer.height, answer.stride) = (40, 30, 160)
        // Of a bitmap, the number of its gamut.
        answer.count = [CALOTYPE_DECODE, CALOTYPE_DECODE_FRAME, CALOTYPE_DECODE_PREVIEW].contains(kind) ? 0 : 3
        (answer.header.width, answer.header.height, answer.header.orientation) = (40, 30, 6)
        (answer.header.bits_per_sample, answer.header.frame_count) = (8, 1)
        answer.header.samples_per_pixel = 1.5
        withUnsafeMutableBytes(of: &answer.header.format) { $0.copyBytes(from: "jpeg".utf8) }
        return answer
    }

    @Test func `an honest answer is read`() throws {
        guard
            case .bitmap(Self.size, hasAlpha: false, gamut: .sRGB)? = Self.reader(CALOTYPE_DECODE).read(
                Self.answer(CALOTYPE_DECODE))
        else { throw Unexpected() }
        guard case .header(let header)? = Self.reader(CALOTYPE_HEADER).read(Self.answer(CALOTYPE_HEADER))
        else { throw Unexpected() }
        #expect(header.uprightSize == PixelSize(width: 30, height: 40) && header.format == .jpeg)
        guard case .nothing? = Self.reader(CALOTYPE_COLORS).read(Self.answer(CALOTYPE_COLORS, CALOTYPE_NOTHING))
        else { throw Unexpected() }
    }

    private struct Unexpected: Error {}

    /// A lie about one field.
    private typealias Lie = @Sendable (inout calotype_answer) -> Void

    private static let lies: [(kind: Int, name: String, tell: Lie)] = [
        (CALOTYPE_DECODE, "serial", { $0.serial = 8 }),
        (CALOTYPE_DECODE, "kind", { $0.kind = UInt32(CALOTYPE_HEADER) }),
        (CALOTYPE_DECODE, "status", { $0.status = 77 }),
        (CALOTYPE_DECODE, "no pixels", { $0.status = UInt32(CALOTYPE_NOTHING) }),
        (CALOTYPE_DECODE, "width", { $0.width = 41 }), (CALOTYPE_DECODE, "height", { $0.height = 1 << 40 }),
        (CALOTYPE_DECODE, "stride", { $0.stride = 164 }), (CALOTYPE_DECODE, "no stride", { $0.stride = 0 }),
        (CALOTYPE_DECODE, "alpha", { $0.has_alpha = 2 }),
        (CALOTYPE_DECODE_FRAME, "frame", { $0.width = 39 }),
        (CALOTYPE_DECODE_PREVIEW, "preview", { $0.width = 39 }),
        (CALOTYPE_DECODE_PREVIEW, "no detail", { $0.header.width = 0 }),
        (CALOTYPE_DECODE_PREVIEW, "huge detail", { $0.header.height = 1 << 32 }),
        (CALOTYPE_HEADER, "huge", { $0.header.height = .max }),
        (CALOTYPE_HEADER, "orientation", { $0.header.orientation = 9 }),
        (
            CALOTYPE_HEADER, "format",
            { withUnsafeMutableBytes(of: &$0.header.format) { $0.copyBytes(from: "webp".utf8) } }
        ),
        (CALOTYPE_HEADER, "codec", { withUnsafeMutableBytes(of: &$0.header.codec) { $0[0] = 7 } }),
        (CALOTYPE_HEADER, "samples", { $0.header.samples_per_pixel = .nan }),
        (CALOTYPE_HEADER, "frames", { $0.header.frame_count = 0 }),
        (CALOTYPE_HEADER, "duration", { $0.header.seconds = -1 }),
        (CALOTYPE_HEADER, "attoseconds", { $0.header.attoseconds = .max }),
        (CALOTYPE_DECODE, "a wider gamut than was asked for", { $0.count = 1 }),
        (CALOTYPE_DECODE, "a gamut that there is not", { $0.count = 2 }),
        (CALOTYPE_DECODE_FRAME, "a wider gamut than the frames were opened for", { $0.count = 1 }),
        (CALOTYPE_OPEN_FRAMES, "more frames than bytes", { $0.count = 101 }),
        (CALOTYPE_OPEN_FRAMES, "no frame", { $0.count = 0 }),
        (CALOTYPE_OPEN_FRAMES, "loops", { $0.loop_count = -2 }),
        (CALOTYPE_LIST_FRAMES, "frames beyond the region", { $0.count = 76 }),
        (CALOTYPE_COLORS, "text", { $0.text_length = 201 }),
    ]

    /// The row "lies about width, stride, length; sends another kind".
    @Test(arguments: lies.indices) func `an answer that no intact worker gives is refused`(index: Int) {
        let lie = Self.lies[index]
        var answer = Self.answer(lie.kind)
        #expect(Self.reader(lie.kind).read(answer) != nil, "\(lie.name)")
        lie.tell(&answer)
        #expect(Self.reader(lie.kind).read(answer) == nil, "\(lie.name)")
    }

    @Test func `the text of an error is printable, whatever the worker sends`() throws {
        var answer = Self.answer(CALOTYPE_DECODE, CALOTYPE_ERROR)
        withUnsafeMutableBytes(of: &answer.text) { $0.copyBytes(from: "40 × 30\n\u{1B}[2J\u{202E}b".utf8) }
        answer.text_length = 17
        guard case .failure(let error)? = Self.reader(CALOTYPE_DECODE).read(answer) else { throw Unexpected() }
        #expect(error.code == .damaged && error.message == "40 × 30??[2J?b")
        answer.code = 99
        #expect(Self.reader(CALOTYPE_DECODE).read(answer) == nil)
    }
}
