/// The address of an endpoint in production, by the path of a request to the emulator.
///
/// Some endpoints have a second address that clients use still. Faults, the journal and the services know the one of today's
/// documentation.
struct EmulatedAddress: Hashable {
    let host: String
    let path: String

    /// - Parameter requested: `/HOST/PATH`; or, as Firebase's clients send to an emulator, `/PROJECT/REGION/NAME` for a function and
    ///   `/emulator/v1/…` for the project of the users.
    /// - Returns: `nil` for a path of the emulator's own, or of nothing.
    init?(_ requested: String) {
        let parts = requested.split(separator: "/", maxSplits: 1)
        guard requested.hasPrefix("/"), let first = parts.first else { return nil }
        let rest = parts.count > 1 ? String(parts[1]) : ""
        if first.contains(".") {
            let address = "\(first.lowercased())/\(rest)"
            self.init(production: Self.current[address] ?? address)
        } else {
            let names = rest.split(separator: "/", maxSplits: 1)
            guard names.count == 2, !requested.hasPrefix(EmulatorControl.path + "/") else { return nil }
            self.init(
                production: first == "emulator"
                    ? EmulatedIdentityToolkit.host + requested
                    : "\(names[0])-\(first).cloudfunctions.net/\(names[1])")
        }
    }

    private init(production address: String) {
        let end = address.utf8.firstIndex(of: UInt8(ascii: "/")) ?? address.endIndex
        (host, path) = (String(address[..<end]), String(address[end...]))
    }

    /// Today's addresses by the earlier ones.
    private static let current: [String: String] = {
        var addresses = [
            "accounts.google.com/o/oauth2/auth": "accounts.google.com/o/oauth2/v2/auth",
            "accounts.google.com/o/oauth2/token": "oauth2.googleapis.com/token",
            "accounts.google.com/o/oauth2/revoke": "oauth2.googleapis.com/revoke",
            "www.googleapis.com/oauth2/v4/token": "oauth2.googleapis.com/token",
            "www.googleapis.com/oauth2/v3/tokeninfo": "oauth2.googleapis.com/tokeninfo",
            "www.googleapis.com/oauth2/v3/userinfo": "openidconnect.googleapis.com/v1/userinfo",
        ]
        // The version of Identity Toolkit that Firebase's SDK for Apple systems calls.
        let methods = [
            "createAuthUri": "createAuthUri", "deleteAccount": "delete", "emailLinkSignin": "signInWithEmailLink",
            "getAccountInfo": "lookup", "getOobConfirmationCode": "sendOobCode", "resetPassword": "resetPassword",
            "sendVerificationCode": "sendVerificationCode", "setAccountInfo": "update", "signupNewUser": "signUp",
            "verifyAssertion": "signInWithIdp", "verifyCustomToken": "signInWithCustomToken",
            "verifyPassword": "signInWithPassword", "verifyPhoneNumber": "signInWithPhoneNumber",
        ]
        for (earlier, method) in methods {
            addresses["www.googleapis.com/identitytoolkit/v3/relyingparty/\(earlier)"] =
                "identitytoolkit.googleapis.com/v1/accounts:\(method)"
        }
        return addresses
    }()
}
