#if canImport(ImageIO)
    import CoreFoundation
    import Foundation

    // All conversions between Foundation and Core Foundation objects. They use toll-free bridging.

    extension Data {
        var coreFoundation: CFData { self as NSData as CFData }
    }

    extension String {
        var coreFoundation: CFString { NSString(string: self) as CFString }

        init(coreFoundation string: CFString) { self = (string as NSString).substring(from: 0) }
    }

    /// Returns a dictionary of options or properties for Image I/O.
    func coreFoundation(_ values: [(key: CFString, value: Any)]) -> CFDictionary {
        var dictionary: [NSString: Any] = [:]
        for (key, value) in values { dictionary[key as NSString] = value }
        return NSDictionary(dictionary: dictionary) as CFDictionary
    }

    /// Returns a dictionary inside an Image I/O dictionary, or `nil` if it is absent.
    func dictionary(of key: CFString, in outer: CFDictionary) -> CFDictionary? {
        let inner: NSDictionary? = value(of: key, in: outer)
        return inner.map { $0 as CFDictionary }
    }

    /// Returns a value from an Image I/O dictionary, or `nil` if it is absent or of another type.
    func value<Value>(of key: CFString, in dictionary: CFDictionary) -> Value? {
        (dictionary as NSDictionary).object(forKey: key as NSString) as? Value
    }
#endif
