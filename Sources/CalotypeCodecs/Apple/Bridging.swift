#if canImport(ImageIO)
    import CoreFoundation
    import Foundation

    // The one place where Foundation's objects become Core Foundation's and back: toll-free, so nothing is copied.

    extension Data {
        /// Holds on to the bytes.
        var coreFoundation: CFData { self as NSData as CFData }
    }

    extension String {
        var coreFoundation: CFString { NSString(string: self) as CFString }

        init(coreFoundation string: CFString) {
            self = (string as NSString).substring(from: 0)
        }
    }

    /// Options and properties, as Image I/O takes them.
    func coreFoundation(_ values: [(key: CFString, value: Any)]) -> CFDictionary {
        var dictionary: [NSString: Any] = [:]
        for (key, value) in values { dictionary[key as NSString] = value }
        return NSDictionary(dictionary: dictionary) as CFDictionary
    }

    /// The dictionary within one that Image I/O answers; nil where it is not there.
    func dictionary(of key: CFString, in outer: CFDictionary) -> CFDictionary? {
        let inner: NSDictionary? = value(of: key, in: outer)
        return inner.map { $0 as CFDictionary }
    }

    /// One value out of what Image I/O answers; nil where it is not there, or of another type.
    func value<Value>(of key: CFString, in dictionary: CFDictionary) -> Value? {
        (dictionary as NSDictionary).object(forKey: key as NSString) as? Value
    }
#endif
