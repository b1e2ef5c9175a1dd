// Scripts/check-strings compiles this file to prove that it can fail: each line that ends with "error" must be one.

func compare(_ left: String, _ right: String, _ part: Substring, _ maybe: String?) {
    _ = left == right  // error
    _ = left != right  // error
    _ = left < right  // error
    _ = part == right  // error
    _ = maybe == right  // error
    _ = maybe != right  // error
    _ = left == "K"  // error
    _ = left.first == part.first  // error
    _ = left.hasPrefix("K")  // error
    _ = part.hasPrefix("K")  // error
    _ = left.hasSuffix("K")  // error
    _ = left.contains("K")  // error
    _ = left.lowercased()  // error
    _ = left.split(separator: ";")  // error
    _ = ["K", ";"].contains(left)  // error
    _ = ["K": 1][left]  // error
    _ = Set([left]).contains(right)  // error
    switch left {
    case "K": break  // error
    default: break
    }
    _ = maybe == nil
    _ = maybe != nil
    _ = left.utf8.elementsEqual(right.utf8)
}
