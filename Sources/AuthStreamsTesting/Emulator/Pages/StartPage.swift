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
                    <p><a href="/\(AppleAccount.host)\(AppleAccountPage.path)">Withdraw an app's access at Apple</a></p>
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
