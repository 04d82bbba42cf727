import AuthStreams
import LoopbackHTTP

/// What the system asks Apple for, when the person agrees on the sheet of an app.
///
/// Apple does not document that request, so its form is the emulator's own: the client is the bundle identifier, there is
/// no redirect URI, and the answer has the values of `ASAuthorizationAppleIDCredential`.
///
/// ```
/// POST appleid.apple.com/emulator/sheet    client_id, user, nonce, scope     {"user", "identityToken", "authorizationCode",
///                                                                             "givenName", "familyName", "email"}
/// ```
struct AppleSheetService: EmulatorService {
    static let path = "/emulator/sheet"

    var hosts: [String] { [AppleAccount.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == Self.path else { return nil }
        return request.taking("POST") {
            if let error = request.requestedError { return .oauthError(error) }
            let (apple, form) = (context.configuration.apple, request.form)
            guard form["client_id"] == apple.bundleID else { return .oauthError("invalid_client") }
            guard let user = apple.users.named(form["user"]) else { return .oauthError("access_denied") }
            let scopes = Set((form["scope"] ?? "").split(separator: " ").map(String.init))
            let grant = Grant(
                issuer: .apple, clientID: apple.bundleID, userID: user.id, scopes: scopes, nonce: form["nonce"],
                approvedAt: context.now)
            return answer(grant, to: user, fault: request.tokenFault, context)
        }
    }

    private func answer(
        _ grant: Grant, to user: EmulatorUser, fault: EmulatorFault.Token?, _ context: EmulatorContext
    ) -> LoopbackResponse {
        let code = context.grants.issueCode(for: grant)
        let token = AppleAccount().idToken(for: grant, code: code, fault: fault, context)
        context.note("code", code, host: AppleAccount.host)
        context.note("id_token", token, host: AppleAccount.host)
        var members: [String: AuthJSON] = [
            "user": .string(user.id), "identityToken": .string(token), "authorizationCode": .string(code),
        ]
        if context.grants.isFirstApproval(clientID: grant.clientID, userID: user.id) {
            if grant.scopes.contains("name") {
                members.add("givenName", user.givenName)
                members.add("familyName", user.familyName)
            }
            if grant.scopes.contains("email") { members.add("email", user.email) }
        }
        return .json(.object(members))
    }
}
