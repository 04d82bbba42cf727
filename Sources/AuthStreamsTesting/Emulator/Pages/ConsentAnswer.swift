import LoopbackHTTP

/// A person's answer on a consent page.
enum ConsentAnswer {
    case approved(PendingAuthorization, EmulatorUser)
    case denied(PendingAuthorization)
    /// The form is not one of the emulator's pages, or the page was answered before.
    case refused(LoopbackResponse)

    init(_ request: EmulatorRequest, issuer: Grant.Issuer, users: [EmulatorUser], _ context: EmulatorContext) {
        let decision = request.form["decision"]
        let user = users.first { $0.id == request.form["user"] }
        guard decision == "deny" || (decision == "approve" && user != nil) else {
            self = .refused(Self.page("Please choose an account, then allow or cancel.", "invalid_request"))
            return
        }
        guard let ticket = request.form["ticket"], let pending = context.grants.take(ticket: ticket),
            pending.issuer == issuer
        else {
            self = .refused(Self.page("This page was answered already. Please start again in the app.", "used_page"))
            return
        }
        if decision == "approve", let user {
            self = .approved(pending, user)
        } else {
            self = .denied(pending)
        }
    }

    private static func page(_ message: String, _ code: String) -> LoopbackResponse {
        .html(MessagePage(title: "That did not work", message: message, code: code).html, status: 400)
    }
}

extension PendingAuthorization {
    /// Returns the grant of a person's approval.
    func grant(userID: String, _ context: EmulatorContext) -> Grant {
        Grant(
            issuer: issuer, clientID: clientID, userID: userID, redirectURI: redirectURI, scopes: scopes, nonce: nonce,
            state: state, challenge: challenge, approvedAt: context.now)
    }
}
