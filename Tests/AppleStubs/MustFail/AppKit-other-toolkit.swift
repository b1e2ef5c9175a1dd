// expect: value of type 'Bitmap' has no member 'uiImage'
import AppKit
import CalotypeCodecs

func show(_ bitmap: Bitmap) throws -> NSImage { try bitmap.uiImage() }
