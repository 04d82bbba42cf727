import LoopbackHTTP

/// The page on which a person chooses an account and approves or refuses.
///
/// A plain form: `user` chooses, `decision` is `approve` or `deny`, and a hidden `ticket` identifies the request.
struct ConsentPage {
    let brand: Brand
    let appName: String
    /// The requested scopes, to be shown.
    let scopes: Set<String>
    let users: [EmulatorUser]
    /// The account that is chosen when the page opens, by identifier or e-mail; the first one if none matches.
    var hint: String?
    let ticket: String

    /// The path on a service's host that a consent page posts to.
    static let path = "/emulator/consent"

    var html: String {
        let chosen = users.first { $0.id == hint || ($0.email != nil && $0.email == hint) } ?? users.first
        let accounts = users.map { user in
            """
            <label><input type="radio" name="user" value="\(HTML.escape(user.id))"\(user == chosen ? " checked" : "")>
            <span>\(HTML.escape(user.name))<small>\(HTML.escape(user.email ?? user.id))</small></span></label>
            """
        }
        return PageStyle.document(
            title: "Sign in with \(brand.name)", accent: brand.accent, ink: brand.ink,
            body: """
                <h1>\(HTML.escape(brand.heading))</h1>
                <p>Continue to <strong>\(HTML.escape(appName))</strong></p>
                \(scopeLine)
                <form method="post" action="/\(brand.host)\(Self.path)">
                \(HTML.hidden("ticket", ticket))
                <fieldset><legend>Choose an account</legend>
                \(accounts.joined(separator: "\n"))
                </fieldset>
                <button class="primary" type="submit" name="decision" value="approve">Allow</button>
                <button type="submit" name="decision" value="deny">Cancel</button>
                </form>
                <p class="quiet">This is an emulator. No real account is involved.</p>
                """)
    }

    private var scopeLine: String {
        scopes.isEmpty
            ? "" : #"<p class="quiet">It asks for: \#(HTML.escape(scopes.sorted().joined(separator: ", ")))</p>"#
    }

    var response: LoopbackResponse { LoopbackResponse.html(html).uncached }
}

extension ConsentPage {
    /// The appearance of a service.
    struct Brand: Sendable {
        let name: String
        let heading: String
        let host: String
        let accent: String
        let ink: String

        static let apple = Brand(
            name: "Apple", heading: "Sign in with Apple", host: "appleid.apple.com", accent: "#111", ink: "#fff")
        static let google = Brand(
            name: "Google", heading: "Sign in with Google", host: "accounts.google.com", accent: "#1a73e8", ink: "#fff")
        static let kakao = Brand(
            name: "Kakao", heading: "카카오 로그인 · Kakao", host: "kauth.kakao.com", accent: "#fee500", ink: "#191600")
        static let naver = Brand(
            name: "Naver", heading: "네이버 로그인 · Naver", host: "nid.naver.com", accent: "#03a94d", ink: "#fff")
    }
}

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
        self = decision == "approve" ? user.map { .approved(pending, $0) } ?? .denied(pending) : .denied(pending)
    }

    private static func page(_ message: String, _ code: String) -> LoopbackResponse {
        .html(MessagePage(title: "That did not work", message: message, code: code).html, status: 400)
    }
}

extension EmulatorContext {
    /// Asks a person on a page.
    func ask(
        _ pending: PendingAuthorization, _ brand: ConsentPage.Brand, _ users: [EmulatorUser], hint: String? = nil
    ) -> LoopbackResponse {
        ConsentPage(
            brand: brand, appName: configuration.appName, scopes: pending.scopes, users: users, hint: hint,
            ticket: grants.keep(pending)
        ).response
    }
}

extension PendingAuthorization {
    /// Sends an answer to the app, in the query of the redirect URI.
    func redirect(_ fields: [(name: String, value: String?)]) -> LoopbackResponse {
        .redirect(to: AuthorizationRedirect.adding(fields, to: redirectURI))
    }

    /// Sends an error to the app.
    func redirect(error: String, _ description: String) -> LoopbackResponse {
        redirect([("error", error), ("error_description", description), ("state", state)])
    }

    /// Returns the grant of a person's approval.
    func grant(userID: String, _ context: EmulatorContext) -> Grant {
        var grant = Grant(
            issuer: issuer, clientID: clientID, userID: userID, redirectURI: redirectURI, scopes: scopes, nonce: nonce,
            state: state, challenge: challenge, approvedAt: context.now)
        grant.keyThumbprint = keyThumbprint
        return grant
    }
}
