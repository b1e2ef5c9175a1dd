import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeServer

/// A drawing for which its host has too little processor time left.
@Suite(.timeLimit(.minutes(1))) struct DrawingRefusalTests {
    /// A decoder whose drawings have used up their budget.
    private struct SpentDecoder: ImageDecoder {
        func header(of data: Data) throws(CodecError) -> ImageHeader? { try HeldDecoder(gate: Gate()).header(of: data) }

        func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 1000 }

        func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            throw CodecError(.overloaded, "used up", underlying: DrawingBudget.UsedUp())
        }
    }

    @Test func `its refusal asks for the pause in which the budget fills up`() async throws {
        let server = try TestServer { $0.decoders.register(SpentDecoder()) }
        try server.write(HeldDecoder.file(), "spent")
        let answer = try await server.get("/_/w:10/plain/local:///spent")
        #expect(answer.status == 503 && answer.fields["Retry-After"] == "15")
        #expect(answer.text == "the drawings of this host take too much time\n")
    }
}
