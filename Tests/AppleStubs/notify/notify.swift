import AppleFoundation
public import Dispatch

// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/notify.3.html
// Not confirmed: how Swift imports them.

public var NOTIFY_STATUS_OK: Int32 { 0 }
public var NOTIFY_STATUS_INVALID_TOKEN: Int32 { 2 }
public var NOTIFY_STATUS_FAILED: Int32 { 1_000_000 }

@discardableResult public func notify_post(_ name: UnsafePointer<CChar>!) -> UInt32 {
    AppleDevice.Notifications.post(String(cString: name))
}

@discardableResult public func notify_register_dispatch(
    _ name: UnsafePointer<CChar>!, _ out_token: UnsafeMutablePointer<Int32>!, _ queue: DispatchQueue!,
    _ handler: ((Int32) -> Void)!
) -> UInt32 {
    AppleDevice.Notifications.register(String(cString: name), out_token, queue, handler)
}

@discardableResult public func notify_cancel(_ token: Int32) -> UInt32 { AppleDevice.Notifications.cancel(token) }
