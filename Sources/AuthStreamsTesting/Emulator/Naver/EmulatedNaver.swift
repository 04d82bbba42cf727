import AuthStreams
import AuthStreamsOAuth
import Foundation

/// The settings of the emulated Naver accounts, also on the page `https://nid.naver.com/emulator/account`.
public struct EmulatedNaver: Sendable {
    let context: EmulatorContext

    /// Lets a person end their link to the app, or leave Naver, which sends the same.
    ///
    /// Naver's tokens of that person are revoked. Then ``EmulatorConfiguration/Naver/unlinkCallback`` is called.
    ///
    /// - Returns: The status of the answer, which should be 204; `nil` if there is no link, no address or no answer.
    @discardableResult
    public func unlink(_ userID: String) async -> Int? {
        let naver = context.configuration.naver
        let link = context.link(of: userID, by: naver.clientID, at: .naver)
        guard context.grants.consents({ $0[link] }) != nil else { return nil }
        context.grants.revokeAll(of: link)
        return await context.send(to: naver.unlinkCallback, naver.unlinkForm(of: userID, at: context.now))
    }
}

extension EmulatorConfiguration.Naver {
    /// The form that reports the end of a person's link.
    func unlinkForm(of userID: String, at date: Date) -> [(name: String, value: String?)] {
        let vector = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let key = MD5.hash(clientSecret.utf8)
        let id = Base64URL.encode(AES128(key: key).encrypt(userID.utf8, vector: vector))
        let time = "\(Int64(date.timeIntervalSince1970))"
        let signed = "clientId=\(clientID)&encryptUniqueId=\(id)&timestamp=\(time)"
        let signature = Base64URL.encode(HMAC.code(of: signed.utf8, key: key))
        return [("clientId", clientID), ("encryptUniqueId", id), ("timestamp", time), ("signature", signature)]
    }
}
