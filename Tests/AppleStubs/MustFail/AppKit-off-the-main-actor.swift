// expect: error: call to main actor-isolated instance method 'setRemoteImage
import CalotypeUI
import Foundation
import AppKit

func show(_ url: URL, in view: NSImageView) { view.setRemoteImage(url) }
