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
        try survives(
            ImageSteps.Resize(ResizeTarget(width: 3, mode: .fill, upscales: true, gravity: .top, filter: .box)))
        try survives(ImageSteps.Resize(shortSide: 3.5, filter: .bilinear))
        try survives(ImageSteps.Crop(PixelSize(width: 3, height: 4), gravity: .left))
        try survives(ImageSteps.Circle(keepsSize: true))
        try survives(ImageSteps.Crop(square: .right))
        try survives(ImageSteps.RoundedCorners(radius: 3.2))
        try survives(ImageSteps.Rotate(quarterTurns: 3))
        try survives(ImageSteps.Flip.vertical)
        try survives(ImageSteps.Pad(top: 1, left: 2, bottom: 3, right: 4, color: .white))
        try survives(ImageSteps.Pad(to: PixelSize(width: 9, height: 8), gravity: .top, color: .black))
        try survives(ImageSteps.Blur(sigma: 2.5))
        try survives(ImageSteps.Sharpen(sigma: 1.5, amount: 0.7))
        try survives(ImageSteps.ColorAdjustment.brightness(1.1))
        try survives(ImageSteps.ColorAdjustment.contrast(0.9))
        try survives(ImageSteps.ColorAdjustment.saturation(0))
        try survives(ImageSteps.ColorAdjustment.grayscale)
        try survives(ImageSteps.ColorAdjustment.tint(ImageColor(red: 1, green: 2, blue: 3), amount: 0.4))
        try survives(ImageSteps.Trim())
        try survives(ImageSteps.Trim(.white, tolerance: 3))
        try survives(ImageSteps.Background(.white))
        try survives(ImageSteps.Border(width: 2.5, color: .black, radius: 3))
        try survives(ImageSteps.Pixelate(7))
        try survives(ImageSteps.Crop(PixelSize(width: 3, height: 4), gravity: .attention))
        try survives(ImageSteps.Overlay(Pictures.veil(20, 10), gravity: .bottomRight, opacity: 0.5, scale: 0.2))
    }

    /// Recipes and caches that users have stored contain these texts. They name no type, so that a type may move.
    @Test func `the JSON and the key of each step stay as they are`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func check(_ step: some ImageStep & Encodable, _ json: String, _ key: String) throws {
            #expect(String(decoding: try encoder.encode([step]), as: UTF8.self) == "[\(json)]")
            #expect(step.key == key)
        }
        let white = #"{"alpha":255,"blue":255,"green":255,"red":255}"#
        let size = #"{"height":4,"width":3}"#
        let top = #"{"isAttention":false,"x":0.5,"y":0}"#
        try check(
            ImageSteps.Resize(shortSide: 3.5, filter: .box), #"{"shortSide":{"filter":"box","length":3.5}}"#,
            "short-side(3.5,filter box)")
        try check(
            ImageSteps.Crop(PixelSize(width: 3, height: 4), gravity: .top), #"{"gravity":\#(top),"size":\#(size)}"#,
            "crop(3x4@0.5,0.0)")
        try check(ImageSteps.Trim(.white), #"{"color":\#(white),"tolerance":10}"#, "trim(#ffffff,10)")
        try check(ImageSteps.Rotate(quarterTurns: 3), "3", "rotate(3)")
        try check(ImageSteps.Flip.vertical, #"{"direction":"vertical"}"#, "flip(vertical)")
        try check(
            ImageSteps.Pad(top: 1, left: 2, bottom: 3, right: 4, color: .white),
            #"{"canvas":{"border":{"bottom":3,"left":2,"right":4,"top":1}},"color":\#(white)}"#, "pad(1,2,3,4,#ffffff)")
        try check(ImageSteps.Circle(keepsSize: true), #"{"keepsSize":true}"#, "circle(full)")
        try check(ImageSteps.RoundedCorners(radius: 3.5), "3.5", "round(3.5)")
        try check(
            ImageSteps.Border(width: 2.5, color: .white), #"{"color":\#(white),"radius":0,"width":2.5}"#,
            "border(2.5,#ffffff,0.0)")
        try check(ImageSteps.Background(.white), #"{"color":\#(white)}"#, "background(#ffffff)")
        try check(
            ImageSteps.ColorAdjustment.brightness(1.5), #"{"brightness":{"factor":1.5}}"#, "brightness(1.5)")
        try check(ImageSteps.Pixelate(7), "7", "pixelate(7)")
        try check(ImageSteps.Blur(sigma: 2.5), "2.5", "blur(2.5)")
        try check(ImageSteps.Sharpen(sigma: 1.5, amount: 0.5), #"{"amount":0.5,"sigma":1.5}"#, "sharpen(1.5,0.5)")
        #expect(ImageSteps.CustomStep(key: "a") { $0 }.key == "custom(a)")
    }

    @Test func `what makes no sense is put right when it is read, as when it is made`() throws {
        func read<Step: Decodable>(_ json: String, as type: Step.Type) throws -> Step {
            try #require(JSONDecoder().decode([Step].self, from: Data("[\(json)]".utf8)).first)
        }
        #expect(try read("-3", as: ImageSteps.Blur.self) == ImageSteps.Blur(sigma: 0))
        #expect(try read("-3", as: ImageSteps.RoundedCorners.self) == ImageSteps.RoundedCorners(radius: 0))
        #expect(try read("7", as: ImageSteps.Rotate.self) == ImageSteps.Rotate(quarterTurns: 3))
        #expect(try read(#"{"brightness":{"factor":-1}}"#, as: ImageSteps.ColorAdjustment.self) == .brightness(0))
        #expect(try read("-1", as: ImageSteps.Pixelate.self) == ImageSteps.Pixelate(1))
        #expect(try read(#"{"tolerance":999}"#, as: ImageSteps.Trim.self) == ImageSteps.Trim(tolerance: 255))
        #expect(try read(#"{"x":9,"y":-9}"#, as: Gravity.self) == .topRight)
        #expect(
            try read(#"{"shortSide":{"length":0,"filter":"box"}}"#, as: ImageSteps.Resize.self)
                == ImageSteps.Resize(shortSide: 1, filter: .box))
    }
}
