import AuthStreams
import Foundation
import LoopbackHTTP

extension Emulator {
    /// What people do in the settings of their Apple Account.
    public var apple: EmulatedApple { EmulatedApple(context: router.context) }
}

/// The settings of the emulated Apple Accounts; see ``Emulator/apple``.
///
/// Each change is reported to ``EmulatorConfiguration/Apple/notificationURLs``. A person makes the same changes on the
/// page `https://appleid.apple.com/emulator/account`.
public struct EmulatedApple: Sendable {
    let context: EmulatorContext

    /// Lets a person stop using Sign in with Apple for the app.
    ///
    /// Apple's tokens of that person are revoked, and their next sign-in is a first one again.
    ///
    /// - Returns: The statuses of the answers, as ``send(_:fault:)`` does.
    @discardableResult
    public func revokeConsent(of userID: String) async -> [Int?] {
        await make(.consentRevoked, of: userID)
    }

    /// Lets a person delete their Apple Account. The emulated person can make it again, under the same identifier.
    ///
    /// - Returns: The statuses of the answers, as ``send(_:fault:)`` does.
    @discardableResult
    public func deleteAccount(of userID: String) async -> [Int?] {
        await make(.accountDeleted, of: userID)
    }

    /// Makes a change and reports it.
    func make(_ event: AppleNotification.Event, of userID: String) async -> [Int?] {
        let app = context.configuration.apple
        if event.endsAccess {
            context.grants.revokeAll(of: .apple, clientIDs: [app.servicesID, app.bundleID], userID: userID)
        }
        return await send(AppleNotification(event, of: userID, at: context.now))
    }

    /// Reports a change, and changes nothing itself: late, twice, or about a person whom the app does not know.
    ///
    /// - Parameters:
    ///   - notification: The change.
    ///   - fault: How its token is invalid, such as `.wrongSignature`. Faults that are not about tokens do nothing.
    /// - Returns: The status of each address's answer, in the order of the configuration; `nil` where there was none.
    @discardableResult
    public func send(_ notification: AppleNotification, fault: EmulatorFault? = nil) async -> [Int?] {
        let body = notification.body(fault: fault?.token, in: context)
        var statuses: [Int?] = []
        for address in context.configuration.apple.notificationURLs.compactMap(URL.init(string:)) {
            statuses.append(await post(body, to: address))
        }
        return statuses
    }

    private func post(_ body: AuthJSON, to address: URL) async -> Int? {
        if let host = address.host(), context.hosts.contains(host) {
            return await context.call(EmulatorRequest("POST", host: host, path: address.path(), json: body)).status
        }
        let request = AuthHTTPRequest(.post, address, headers: ["Content-Type": "application/json"], body: body.data)
        return try? await URLSessionTransport().send(request).status
    }
}
