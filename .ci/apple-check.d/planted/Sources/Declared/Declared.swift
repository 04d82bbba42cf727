import Foundation

// The privacy manifest gives the reason.
public func uptime() -> TimeInterval { ProcessInfo.processInfo.systemUptime }
