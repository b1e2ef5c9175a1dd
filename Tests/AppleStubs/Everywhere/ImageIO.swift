public import CoreFoundation
public import CoreGraphics

public class CGImageSource {}
public class CGImageDestination {}

public enum CGImageSourceStatus: Int32 {
    case statusUnexpectedEOF = -5
    case statusInvalidData = -4
    case statusUnknownType = -3
    case statusReadingHeader = -2
    case statusIncomplete = -1
    case statusComplete = 0
}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { nil }
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { 0 }
public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int { 0 }
public func CGImageSourceGetStatusAtIndex(_ isrc: CGImageSource, _ index: Int) -> CGImageSourceStatus {
    .statusComplete
}
public func CGImageSourceCopyPropertiesAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? { nil }
public func CGImageSourceCopyProperties(_ isrc: CGImageSource, _ options: CFDictionary?) -> CFDictionary? { nil }
public func CGImageSourceCreateImageAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { nil }
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { nil }

public func CGImageDestinationCreateWithData(
    _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { nil }
public func CGImageDestinationAddImage(
    _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {}
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { false }

public var kCGImageSourceShouldCache: CFString { CFString() }
public var kCGImageSourceShouldCacheImmediately: CFString { CFString() }
public var kCGImageSourceCreateThumbnailFromImageAlways: CFString { CFString() }
public var kCGImageSourceCreateThumbnailWithTransform: CFString { CFString() }
public var kCGImageSourceThumbnailMaxPixelSize: CFString { CFString() }
public var kCGImagePropertyPixelWidth: CFString { CFString() }
public var kCGImagePropertyPixelHeight: CFString { CFString() }
public var kCGImagePropertyOrientation: CFString { CFString() }
public var kCGImagePropertyHasAlpha: CFString { CFString() }
public var kCGImagePropertyGIFDictionary: CFString { CFString() }
public var kCGImagePropertyGIFUnclampedDelayTime: CFString { CFString() }
public var kCGImagePropertyGIFDelayTime: CFString { CFString() }
public var kCGImagePropertyGIFLoopCount: CFString { CFString() }
public var kCGImagePropertyPNGDictionary: CFString { CFString() }
public var kCGImagePropertyAPNGUnclampedDelayTime: CFString { CFString() }
public var kCGImagePropertyAPNGDelayTime: CFString { CFString() }
public var kCGImagePropertyAPNGLoopCount: CFString { CFString() }
public var kCGImagePropertyWebPDictionary: CFString { CFString() }
public var kCGImagePropertyWebPUnclampedDelayTime: CFString { CFString() }
public var kCGImagePropertyWebPDelayTime: CFString { CFString() }
public var kCGImagePropertyWebPLoopCount: CFString { CFString() }
public var kCGImagePropertyHEICSDictionary: CFString { CFString() }
public var kCGImagePropertyHEICSUnclampedDelayTime: CFString { CFString() }
public var kCGImagePropertyHEICSDelayTime: CFString { CFString() }
public var kCGImagePropertyHEICSLoopCount: CFString { CFString() }
public var kCGImageDestinationLossyCompressionQuality: CFString { CFString() }
