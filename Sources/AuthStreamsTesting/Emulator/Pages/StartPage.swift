import AuthStreams
import LoopbackHTTP

/// The emulator's start page: its services and apps, and a way to try each provider.
struct StartPage {
    let configuration: EmulatorConfiguration
    let base: String
    let hosts: [String]

    var response: LoopbackResponse {
        .html(
            PageStyle.document(
                title: "AuthStreams emulator",
                body: """
                    <h1>AuthStreams emulator</h1>
                    <p>What production serves at <code>https://HOST/PATH</code> is served here at
                    <code>\(HTML.escape(base))/HOST/PATH</code>, issuers included.</p>
                    <h2>Try a sign-in</h2>
                    <ul>
                    \(links)
                    </ul>
                    <p>Withdraw an app's access at
                    \(AccountPage.brands.map { #"<a href="/\#($0.host)\#(AccountPage.path)">\#($0.name)</a>"# }.joined(separator: ", "))</p>
                    <p><a href="/\(configuration.firebase.actionHost)\(FirebaseMailbox.path)">Read the mails of Firebase</a></p>
                    <p><a href="/\(EmulatorConfiguration.Server.host)\(ServerMailbox.path)">Read the messages of the app's server</a></p>
                    <p><a href="/\(EmulatorConfiguration.Supabase.host)\(EmulatedGoTrue.messagesPath)">Read the messages of Supabase</a></p>
                    <h2>Services</h2>
                    <ul>
                    \(hosts.map { "<li><code>\(HTML.escape($0))</code></li>" }.joined(separator: "\n"))
                    </ul>
                    <h2>Clients</h2>
                    <ul>
                    \(clients)
                    </ul>
                    <h2>People</h2>
                    <ul>
                    \(people)
                    </ul>
                    <p class="quiet">Its keys and secrets are public. Let nothing real trust them.</p>
                    """))
    }

    private var links: String {
        TryLink.all(for: configuration, base: base)
            .map { #"<li><a href="\#(HTML.escape($0.url))">\#(HTML.escape($0.name))</a></li>"# }
            .joined(separator: "\n")
    }

    private var clients: String {
        configuration.clientIDs
            .map { "<li>\(HTML.escape($0.name))<br><code>\(HTML.escape($0.id))</code></li>" }
            .joined(separator: "\n")
    }

    private var people: String {
        let accounts = [
            ("Apple", configuration.apple.users), ("Google", configuration.google.users),
            ("Kakao", configuration.kakao.users), ("Naver", configuration.naver.users),
        ]
        return accounts.flatMap { provider, users in
            users.map { "<li>\(provider): \(HTML.escape($0.name)) <code>\(HTML.escape($0.id))</code></li>" }
        }.joined(separator: "\n")
    }
}

/// A link to an authorization request, as an app would make it, whose answer ``AppServer`` shows.
struct TryLink {
    let name: String
    let provider: String
    let url: String

    /// One for each provider.
    static func all(for configuration: EmulatorConfiguration, base: String) -> [TryLink] {
        [
            TryLink(
                "Apple", "apple", "appleid.apple.com/auth/authorize", client: configuration.apple.servicesID,
                base: base, [("scope", "name email"), ("response_mode", "form_post"), ("nonce", "try")]),
            TryLink(
                "Google", "google", "accounts.google.com/o/oauth2/v2/auth", client: configuration.google.web.id,
                base: base, [("scope", "openid email profile"), ("nonce", "try")]),
            TryLink(
                "Kakao", "kakao", "kauth.kakao.com/oauth/authorize", client: configuration.kakao.restAPIKey,
                base: base, [("nonce", "try")]),
            TryLink(
                "Naver", "naver", "nid.naver.com/oauth2.0/authorize", client: configuration.naver.clientID, base: base,
                []),
        ]
    }

    private init(
        _ name: String, _ provider: String, _ endpoint: String, client: String, base: String,
        _ more: [(name: String, value: String)]
    ) {
        self.name = name
        self.provider = provider
        let parameters = [
            (name: "response_type", value: "code"), (name: "client_id", value: client),
            (name: "redirect_uri", value: "\(base)/\(AppServer.host)/\(provider)"), (name: "state", value: "try"),
        ]
        url = "\(base)/\(endpoint)?\(FormCoding.encode(parameters + more))"
    }
}

/// The example app's own server, to which the start page's links return: it shows the provider's answer.
struct AppServer: EmulatorService {
    static let host = "app.example"

    let hosts = [AppServer.host]

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard ["GET", "POST"].contains(request.method),
            let link = TryLink.all(for: context.configuration, base: context.base).first(where: {
                request.path == "/\($0.provider)"
            })
        else { return nil }
        let answer = request.query.merged(with: request.form)
        let rows = answer.items.map { item in
            "<li><strong>\(HTML.escape(item.name))</strong><br><code>\(HTML.escape(item.value))</code></li>"
        }
        let isGranted = answer["error"] == nil && answer["code"] != nil
        let title = isGranted ? "\(link.name) said yes" : "\(link.name) said no"
        return LoopbackResponse.html(
            PageStyle.document(
                title: title,
                body: """
                    <h1>\(title)</h1>
                    <p>Here an app takes over: it checks <code>state</code> and redeems <code>code</code>.
                    It was sent:</p>
                    <ul>
                    \(rows.joined(separator: "\n"))
                    </ul>
                    <p><a href="/">Back to the start</a></p>
                    """)
        ).uncached
    }
}
