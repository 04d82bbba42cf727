import LoopbackHTTP

/// The page on which a person manages how they use Sign in with Apple, as `account.apple.com` has one.
struct AppleAccountPage {
    let appName: String
    let users: [EmulatorUser]
    /// What was done, to be shown.
    var message: String?

    static let path = "/emulator/account"

    var response: LoopbackResponse {
        let people = users.map { user in
            """
            <form method="post" action="/\(AppleAccount.host)\(Self.path)">
            <h2>\(HTML.escape(user.name))</h2>
            \(HTML.hidden("user", user.id))
            <button type="submit" name="event" value="consent-revoked">Stop using Sign in with Apple</button>
            <button type="submit" name="event" value="account-deleted">Delete the Apple Account</button>
            <button type="submit" name="event" value="email-disabled">Stop forwarding mail</button>
            <button type="submit" name="event" value="email-enabled">Forward mail</button>
            </form>
            """
        }
        var response = LoopbackResponse.html(
            PageStyle.document(
                title: "Apple Account", accent: ConsentPage.Brand.apple.accent, ink: ConsentPage.Brand.apple.ink,
                body: """
                    <h1>Sign in with Apple for \(HTML.escape(appName))</h1>
                    \(message.map { "<p><strong>\(HTML.escape($0))</strong></p>" } ?? "")
                    \(people.joined(separator: "\n"))
                    <p class="quiet">Each change is reported to the app's server.</p>
                    """))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}

extension AppleAccount {
    /// Shows the page, or makes the change that a person has chosen there.
    func manage(_ request: EmulatorRequest, _ context: EmulatorContext) async -> LoopbackResponse {
        let apple = context.configuration.apple
        var page = AppleAccountPage(appName: context.configuration.appName, users: apple.users)
        switch request.method {
        case "GET": return page.response
        case "POST":
            guard let user = apple.users.first(where: { $0.id == request.form["user"] }),
                let name = request.form["event"]
            else { return MessagePage.error("invalid_request", "The form names no person of this emulator.") }
            let statuses = await EmulatedApple(context: context).make(.init(rawValue: name), of: user.id)
            let answers = statuses.map { $0.map(String.init) ?? "no answer" }.joined(separator: ", ")
            page.message = "\(user.name): \(name). Answers: \(answers)."
            return page.response
        default: return .methodNotAllowed("GET, POST")
        }
    }
}
