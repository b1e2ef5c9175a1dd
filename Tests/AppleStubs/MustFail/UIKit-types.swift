// expect: cannot convert value of type 'String' to expected argument type 'UIImage'
import CalotypeCodecs
import UIKit

func read(_ name: String) throws -> Bitmap { try Bitmap(uiImage: name) }
