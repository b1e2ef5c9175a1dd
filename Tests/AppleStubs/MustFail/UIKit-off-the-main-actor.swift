// expect: error: call to main actor-isolated instance method 'setRemoteImage
import CalotypeUI
import Foundation
import UIKit

func show(_ url: URL, in view: UIImageView) { view.setRemoteImage(url) }
