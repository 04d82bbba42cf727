import AuthStreams

/// What the log-in screen says, in SwiftUI and in UIKit.
struct LoginContent: Equatable {
    /// Why the person was signed out, unless they did it themselves.
    let notice: String?

    init(_ state: AuthState) {
        guard case .signedOut(let reason?) = state else {
            notice = nil
            return
        }
        notice =
            switch reason {
            case .user, .deleted, .elsewhere: nil
            case .expired, .refreshInterrupted, .keyLost: "Your session has expired. Please log in again."
            case .revoked, .revokedAtProvider: "You were logged out, because the app's access was revoked."
            case .disabled: "This account has been disabled."
            }
    }
}
