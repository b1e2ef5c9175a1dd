@_exported import struct Foundation.CGFloat
public import Foundation

// Toll-free: on Apple's platforms, too, one type converts to the other without a cast.
public typealias CFString = NSString
public typealias CFData = NSData
public typealias CFMutableData = NSMutableData
public typealias CFDictionary = NSDictionary
