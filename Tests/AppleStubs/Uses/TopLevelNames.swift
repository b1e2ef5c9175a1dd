import CalotypeUI
import SwiftUI

// What SwiftUI has at top level stays usable by its name beside `import CalotypeUI`: as a type, a name of the library would be
// ambiguous here, although an initializer may still be found.
struct Badge: View {
    let circle: Circle
    let capsule: Capsule
    let rectangle: Rectangle
    let rounded: RoundedRectangle
    let uneven: UnevenRoundedRectangle
    let ellipse: Ellipse
    let path: Path
    let image: Image
    let text: Text
    let color: Color
    let shape: any Shape
    let angle: Angle
    let point: UnitPoint
    let gradient: Gradient
    let linear: LinearGradient
    let animation: Animation
    let transaction: Transaction
    let alignment: Alignment
    let insets: EdgeInsets
    let mode: ContentMode
    let label: Label<Text, Image>
    let group: Group<Divider>
    let spacer: Spacer
    let progress: ProgressView

    var body: some View {
        ZStack {
            Circle()
            Text(verbatim: "7")
        }
        .clipShape(Circle())
    }

    func clipped(to circle: Circle) -> some View { image.clipShape(circle) }
}
