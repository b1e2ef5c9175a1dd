// expect: error: static method 'buildExpression' requires that 'Int' conform to 'View'
import CalotypeUI
import Foundation
import SwiftUI

struct Cell: View {
    let url: URL

    var body: some View { RemoteImage(source: url) { _ in 1 } }
}
