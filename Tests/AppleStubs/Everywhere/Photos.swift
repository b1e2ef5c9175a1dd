@_exported public import Foundation
@_exported public import ImageIO

public enum CGImagePropertyOrientation: UInt32, Sendable { case up = 1 }

public typealias PHImageRequestID = Int32

open class PHFetchOptions: NSObject {}

// Unchecked, as Apple declares them, and without bodies: stubs are type-checked and never run.
open class PHFetchResult<ObjectType: AnyObject>: NSObject, @unchecked Sendable {
    open var firstObject: ObjectType? { nil }
}

open class PHAsset: NSObject, @unchecked Sendable {
    open class func fetchAssets(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAsset> { PHFetchResult() }
}

public enum PHImageRequestOptionsVersion: Int, Sendable {
    case current, unadjusted, original
}

public enum PHImageRequestOptionsDeliveryMode: Int, Sendable {
    case opportunistic, highQualityFormat, fastFormat
}

open class PHImageRequestOptions: NSObject {
    open var version = PHImageRequestOptionsVersion.current
    open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
    open var isNetworkAccessAllowed = false
}

open class PHImageManager: NSObject, @unchecked Sendable {
    open class func `default`() -> PHImageManager { fatalError() }
    open func requestImageDataAndOrientation(
        for asset: PHAsset, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID { 0 }
    open func cancelImageRequest(_ requestID: PHImageRequestID) {}
}
