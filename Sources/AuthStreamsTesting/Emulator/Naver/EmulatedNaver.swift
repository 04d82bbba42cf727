import AuthStreams
import AuthStreamsOAuth
import Foundation

extension Emulator {
    /// What people do in the settings of their Naver account.
    public var naver: EmulatedNaver { EmulatedNaver(context: router.context) }
}

/// The settings of the emulated Naver accounts, also on the page `https://nid.naver.com/emulator/account`.
public struct EmulatedNaver: Sendable {
    let context: EmulatorContext

    /// Lets a person end their link to the app, or leave Naver, which sends the same.
    ///
    /// Naver's tokens of that person are revoked. Then ``EmulatorConfiguration/Naver/unlinkCallback`` is called.
    ///
    /// - Returns: The status of the answer, which should be 204; `nil` if there is no address or no answer.
    @discardableResult
    public func unlink(_ userID: String) async -> Int? {
        let naver = context.configuration.naver
        context.grants.revokeAll(of: .naver, clientIDs: [naver.clientID], userID: userID)
        let vector = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let form = naver.unlinkForm(of: userID, at: context.now, vector: vector)
        return await context.send(to: naver.unlinkCallback, form)
    }
}

extension EmulatorConfiguration.Naver {
    /// The form that reports the end of a person's link.
    ///
    /// - Parameter vector: The random start of the encryption, 16 bytes.
    func unlinkForm(of userID: String, at date: Date, vector: [UInt8]) -> [(name: String, value: String?)] {
        let key = MD5.hash(clientSecret.utf8)
        let id = Base64URL.encode(AES128(key: key).encrypt(userID.utf8, vector: vector))
        let time = "\(Int64(date.timeIntervalSince1970))"
        let signed = "clientId=\(clientID)&encryptUniqueId=\(id)&timestamp=\(time)"
        let signature = Base64URL.encode(HMAC.code(of: signed.utf8, key: key))
        return [("clientId", clientID), ("encryptUniqueId", id), ("timestamp", time), ("signature", signature)]
    }
}
