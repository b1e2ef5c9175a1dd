import CSandbox
import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        (CALOTYPE_HEADER...CALOTYPE_DECODE_PREVIEW).flatMap { kind in
            [CALOTYPE_VALUE, CALOTYPE_NOTHING, CALOTYPE_ERROR].map { status in
                var answer = calotype_answer()
                (answer.serial, answer.kind, answer.status) = (1, UInt32(kind), UInt32(status))
                (answer.width, answer.height, answer.stride, answer.count) = (7, 5, 28, 2)
                (answer.header.width, answer.header.height, answer.header.orientation) = (7, 5, 1)
                (answer.header.bits_per_sample, answer.header.frame_count) = (8, 1)
                withUnsafeMutableBytes(of: &answer.header.format) { $0.copyBytes(from: "png".utf8) }
                return withUnsafeBytes(of: answer) { Data($0) + Data([UInt8(kind)]) }
            }
        }
    }
}

/// Reads any bytes as a decoder process's answer, and checks that the result is within the bounds of the request.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let size = MemoryLayout<calotype_answer>.size
    guard let bytes, count > size else { return -1 }
    let answer = UnsafeRawPointer(bytes).loadUnaligned(as: calotype_answer.self)
    let expected = PixelSize(width: 7, height: 5)
    let reader = AnswerReader(
        serial: 1, kind: UInt32(bytes[size]), formats: [.png, .jpeg], resultSize: expected, capacity: 1000,
        fileLength: 50)
    switch reader.read(answer) {
    case nil, .nothing?: break
    case .header(let header)?:
        require(
            header.width >= 0 && header.height >= 0 && header.samplesPerPixel.isFinite, "a header of less than nothing")
        require([.png, .jpeg].contains(header.format), "a format that the decoder does not read")
        require(header.duration >= .zero && (header.frameCount ?? 1) > 0, "an animation of less than no time")
    case .colors(let name)?: require(isPrintable(name), "a name that is not printable")
    case .bitmap(let size, _)?: require(size == expected, "another size than was asked for")
    case .preview(let size, _, let detail)?:
        require(size == expected && detail.width > 0 && detail.height > 0, "a preview of another size, or of nothing")
    case .animation(let canvas, let loopCount, let frames)?:
        require(canvas.width > 0 && canvas.height > 0 && loopCount ?? 0 >= 0, "an animation without an area")
        require((1...50).contains(frames), "more frames than bytes")
    case .frames(let count)?: require(count * MemoryLayout<calotype_frame>.stride <= 1000, "frames beyond the region")
    case .file(let count)?: require((1...1000).contains(count), "a file beyond the region")
    case .failure(let error)?: require(isPrintable(error.message), "a message that is not printable")
    }
    return 0
}

private func isPrintable(_ text: String) -> Bool {
    text.utf8.count <= 3 * Int(CALOTYPE_TEXT_LENGTH) && !text.unicodeScalars.contains { $0.value < 0x20 }
}
