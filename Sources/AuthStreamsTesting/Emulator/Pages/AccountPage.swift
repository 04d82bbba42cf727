import LoopbackHTTP

/// The page on which a person manages how they use a provider's account for the app, as `account.apple.com` is one.
struct AccountPage {
    let brand: ConsentPage.Brand
    let users: [EmulatorUser]
    /// The changes that a person can make, and their names on the page.
    let events: [(event: String, title: String)]

    static let path = "/emulator/account"
    static let brands: [ConsentPage.Brand] = [.apple, .kakao, .naver]

    /// Shows the page, or makes the change that a person has chosen there.
    ///
    /// - Parameter make: Makes a change, and returns the statuses of the app's servers.
    func respond(
        to request: EmulatorRequest, _ context: EmulatorContext, make: (String, EmulatorUser) async -> [Int?]
    ) async -> LoopbackResponse {
        let appName = context.configuration.appName
        guard request.method == "POST" else { return request.taking("GET") { response(appName) } }
        guard let user = users.first(where: { $0.id == request.form["user"] }), let event = request.form["event"],
            events.contains(where: { $0.event == event })
        else { return .error("invalid_request", "The form names no person or no change of this page.") }
        let answers = await make(event, user).map { $0.map(String.init) ?? "no answer" }.joined(separator: ", ")
        return response(appName, message: "\(user.name): \(event). Answers: \(answers).")
    }

    private func response(_ appName: String, message: String? = nil) -> LoopbackResponse {
        let buttons = events.map { #"<button type="submit" name="event" value="\#($0)">\#($1)</button>"# }
        let people = users.map { user in
            """
            <form method="post" action="/\(brand.host)\(Self.path)">
            <h2>\(HTML.text(user.name))</h2>
            \(HTML.hidden("user", user.id))
            \(buttons.joined(separator: "\n"))
            </form>
            """
        }
        return .html(
            PageStyle.document(
                title: "\(brand.name) Account", accent: brand.accent, ink: brand.ink,
                body: """
                    <h1>Sign in with \(brand.name) for \(HTML.text(appName))</h1>
                    \(message.map { "<p><strong>\(HTML.text($0))</strong></p>" } ?? "")
                    \(people.joined(separator: "\n"))
                    <p class="quiet">Each change is reported to the app's server.</p>
                    """)
        ).uncached
    }
}
