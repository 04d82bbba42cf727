import LoopbackHTTP

/// The page on which a person chooses an account and approves or refuses.
///
/// A plain form: `user` chooses, `decision` is `approve` or `deny`, and a hidden `ticket` identifies the request. Below each
/// account stand the scopes that it is asked for: the required ones as text, each other one as a checkbox `item` whose value is
/// the account's identifier, a space and the scope. Those of the other accounts are not shown, and count for nothing.
struct ConsentPage {
    let brand: Brand
    let appName: String
    let pending: PendingAuthorization
    let users: [EmulatorUser]
    /// The account that is chosen when the page opens, by identifier or e-mail; the first one if none matches.
    var hint: String?
    let ticket: String
    let context: EmulatorContext

    /// The path on a service's host that a consent page posts to.
    static let path = "/emulator/consent"

    var response: LoopbackResponse {
        let chosen = users.first { $0.id == hint || ($0.email != nil && $0.email == hint) } ?? users.first
        let accounts = users.map { user in
            """
            <label><input type="radio" name="user" value="\(HTML.escape(user.id))"\(user == chosen ? " checked" : "")>
            <span>\(HTML.text(user.name))<small>\(HTML.escape(user.email ?? user.id))</small></span></label>
            \(items(for: user))
            """
        }
        return .html(
            PageStyle.document(
                title: "Sign in with \(brand.name)", accent: brand.accent, ink: brand.ink,
                body: """
                    <h1>\(HTML.text(brand.heading))</h1>
                    <p>Continue to <strong>\(HTML.text(appName))</strong></p>
                    <form method="post" action="/\(brand.host)\(Self.path)">
                    \(HTML.hidden("ticket", ticket))
                    <fieldset><legend>Choose an account</legend>
                    \(accounts.joined(separator: "\n"))
                    </fieldset>
                    \(emailChoice)
                    <button class="primary" type="submit" name="decision" value="approve">Allow</button>
                    <button type="submit" name="decision" value="deny">Cancel</button>
                    </form>
                    <p class="quiet">This is an emulator. No real account is involved.</p>
                    """)
        ).uncached
    }

    private var emailChoice: String {
        guard pending.issuer == .apple, pending.scopes.contains("email"),
            users.contains(where: { context.hidesEmail($0.id) == nil })
        else { return "" }
        return """
            <fieldset><legend>Email, at the first time</legend>
            <label><input type="radio" name="email" value="share" checked><span>Share my email</span></label>
            <label><input type="radio" name="email" value="hide"><span>Hide my email</span></label>
            </fieldset>
            """
    }

    private func items(for user: EmulatorUser) -> String {
        guard let asked = pending.asked[user.id], !asked.isEmpty else { return "" }
        let required = asked.subtracting(pending.optional).sorted().joined(separator: ", ")
        let link = context.link(of: user.id, by: pending.clientID, at: pending.issuer)
        let refused = context.grants.consents { $0[link]?.refused ?? [] }
        let boxes = asked.intersection(pending.optional).sorted().map { item in
            let isChecked = pending.question != .everything || !refused.contains(item)
            return """
                <label><input type="checkbox" name="item" value="\(HTML.escape("\(user.id) \(item)"))"\(isChecked ? " checked" : "")>
                <span>\(HTML.escape(item))</span></label>
                """
        }
        return """
            <div class="items"><p class="quiet">It asks for: \(HTML.escape(required))</p>
            \(boxes.joined(separator: "\n"))
            </div>
            """
    }

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
            name: "Naver", heading: "네이버 로그인 · Naver", host: "nid.naver.com", accent: "#027a38", ink: "#fff")
        static let issuer = Brand(
            name: "PulseBoard ID", heading: "Sign in with your PulseBoard account",
            host: EmulatorConfiguration.Issuer.host, accent: "#5b3fd6", ink: "#fff")
    }
}

/// A person's answer on a consent page.
enum ConsentAnswer {
    /// The request, with the scopes that the person has agreed to, now or before, and those that they left out.
    case approved(PendingAuthorization, EmulatorUser)
    case denied(PendingAuthorization)
    /// The form is not one of the emulator's pages, or the page was answered before.
    case refused(LoopbackResponse)

    init(_ request: EmulatorRequest, issuer: Grant.Issuer, users: [EmulatorUser], _ context: EmulatorContext) {
        func refuse(_ message: String, _ code: String) -> Self {
            .refused(.message("That did not work", message, code: code, status: 400))
        }
        let decision = request.form["decision"]
        let user = decision == "approve" ? users.first { $0.id == request.form["user"] } : nil
        guard user != nil || decision == "deny" else {
            self = refuse("Please choose an account, then allow or cancel.", "invalid_request")
            return
        }
        guard let ticket = request.form["ticket"], let pending = context.grants.take(ticket: ticket),
            pending.issuer == issuer, user.map({ pending.asked[$0.id] != nil }) ?? true
        else {
            self = refuse("This page was answered already. Please start again in the app.", "used_page")
            return
        }
        guard let user else {
            self = .denied(pending)
            return
        }
        let chosen = request.form.items.filter { $0.name == "item" }.map(\.value)
        self = .approved(
            pending.answered(by: user, refusing: { !chosen.contains("\(user.id) \($0)") }, context), user)
    }
}

extension EmulatorContext {
    /// Asks a person on a page.
    func ask(
        _ pending: PendingAuthorization, _ brand: ConsentPage.Brand, _ users: [EmulatorUser], hint: String? = nil,
        appName: String? = nil
    ) -> LoopbackResponse {
        var pending = pending
        for user in users { pending.asked[user.id] = items(of: pending, for: user) }
        let ticket = grants.keep(pending)
        RequestNotes.add { $0.links.append(ticket) }
        return ConsentPage(
            brand: brand, appName: appName ?? configuration.appName, pending: pending, users: users, hint: hint,
            ticket: ticket, context: self
        ).response
    }

    /// Returns the scopes of a request that a person is asked for.
    func items(of pending: PendingAuthorization, for user: EmulatorUser) -> Set<String> {
        let link = link(of: user.id, by: pending.clientID, at: pending.issuer)
        return grants.consents { $0.items(of: pending.scopes, pending.question, link) }
    }
}

extension PendingAuthorization {
    /// Returns the request with a person's answer.
    ///
    /// - Parameter isRefused: Whether the person leaves a scope out. It is asked only about the optional ones that the person
    ///   was asked for.
    func answered(by user: EmulatorUser, refusing isRefused: (String) -> Bool, _ context: EmulatorContext) -> Self {
        let asked = asked[user.id] ?? context.items(of: self, for: user)
        let link = context.link(of: user.id, by: clientID, at: issuer)
        // What the page did not ask for is granted only if the agreement to it still stands.
        let agreed = context.grants.consents { $0[link]?.agreed ?? [] }
        var answered = self
        answered.refused = asked.intersection(optional).filter(isRefused)
        answered.scopes.formIntersection(asked.union(agreed).union(["openid"]))
        answered.scopes.subtract(answered.refused)
        return answered
    }

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
        Grant(
            issuer: issuer, clientID: clientID, userID: userID, redirectURI: redirectURI, scopes: scopes,
            refused: refused, nonce: nonce, state: state, challenge: challenge, keyThumbprint: keyThumbprint,
            isOffline: isOffline, approvedAt: context.now)
    }
}
