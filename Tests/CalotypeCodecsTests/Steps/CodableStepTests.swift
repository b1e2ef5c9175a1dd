import CalotypeCodecs
import Foundation
import Testing

@Suite struct CodableStepTests {
    private func copy<Step: Codable>(_ step: Step) throws -> Step {
        try #require(JSONDecoder().decode([Step].self, from: JSONEncoder().encode([step])).first)
    }

    private func survives<Step: ImageStep & Codable & Equatable>(_ step: Step) throws {
        let again = try copy(step)
        #expect(again == step && again.key == step.key)
    }

    @Test func `steps are values that can be written and read`() throws {
        try survives(Resize(ResizeTarget(width: 3, mode: .fill, upscales: true, gravity: .top, filter: .box)))
        try survives(Resize(shortSide: 3.5, filter: .bilinear))
        try survives(Crop(PixelSize(width: 3, height: 4), gravity: .left))
        try survives(ImageSteps.Circle(keepsSize: true))
        try survives(Crop(square: .right))
        try survives(RoundedCorners(radius: 3.2))
        try survives(Rotate(quarterTurns: 3))
        try survives(Flip.vertical)
        try survives(Pad(top: 1, left: 2, bottom: 3, right: 4, color: .white))
        try survives(Pad(to: PixelSize(width: 9, height: 8), gravity: .top, color: .black))
        try survives(Blur(sigma: 2.5))
        try survives(Sharpen(sigma: 1.5, amount: 0.7))
        try survives(ColorAdjustment.brightness(1.1))
        try survives(ColorAdjustment.contrast(0.9))
        try survives(ColorAdjustment.saturation(0))
        try survives(ColorAdjustment.grayscale)
        try survives(ColorAdjustment.tint(ImageColor(red: 1, green: 2, blue: 3), amount: 0.4))
        try survives(Trim())
        try survives(Trim(.white, tolerance: 3))
        try survives(Background(.white))
        try survives(Border(width: 2.5, color: .black, radius: 3))
        try survives(Pixelate(7))
        try survives(Crop(PixelSize(width: 3, height: 4), gravity: .attention))
        try survives(Overlay(Pictures.veil(20, 10), gravity: .bottomRight, opacity: 0.5, scale: 0.2))
    }

    @Test func `what makes no sense is put right when it is read, as when it is made`() throws {
        func read<Step: Decodable>(_ json: String, as type: Step.Type) throws -> Step {
            try #require(JSONDecoder().decode([Step].self, from: Data("[\(json)]".utf8)).first)
        }
        #expect(try read("-3", as: Blur.self) == Blur(sigma: 0))
        #expect(try read("-3", as: RoundedCorners.self) == RoundedCorners(radius: 0))
        #expect(try read("7", as: Rotate.self) == Rotate(quarterTurns: 3))
        #expect(try read(#"{"brightness":{"factor":-1}}"#, as: ColorAdjustment.self) == .brightness(0))
        #expect(try read("-1", as: Pixelate.self) == Pixelate(1))
        #expect(try read(#"{"tolerance":999}"#, as: Trim.self) == Trim(tolerance: 255))
        #expect(try read(#"{"x":9,"y":-9}"#, as: Gravity.self) == .topRight)
        #expect(
            try read(#"{"shortSide":{"length":0,"filter":"box"}}"#, as: Resize.self)
                == Resize(shortSide: 1, filter: .box))
    }
}
