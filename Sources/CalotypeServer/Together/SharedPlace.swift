import CalotypeBase
import CalotypeCodecs

/// The turn of a decode for several results: the first turn of one of them.
struct SharedTurn: WorkTurn {
    let decode: SharedDecode

    func take() async throws(Interruption) { try await decode.takeTurn() }
}

/// The place of a result in a decode.
struct SharedPlace: Sendable {
    enum Outcome: Sendable {
        /// The image is the result itself.
        case whole
        /// The result is drawn from the image. The route is `nil` if it is as that of the result alone.
        case drawn(from: ImageHeader, DecodeRoute?)
        /// The image is for other results.
        case leftOut
    }

    let decode: SharedDecode
    let number: Int
    let result: SharedResult

    /// What the image is to the result, once it is decoded.
    var outcome: Outcome { decode.outcome(of: number, result) }

    /// Whether the result is one of several of the decode.
    var isOneOfSeveral: Bool { decode.isOfSeveral }

    var isLargest: Bool { decode.isLargest(number) }

    func leave() { decode.leave(number) }
}
