import AuthStreams
import Foundation

/// The words of the command line, checked against a table of options.
struct Arguments: Sendable {
    enum Command: String, Sendable { case login, status, token, userinfo, call, watch, logout }
    let command: Command
    /// The URL of `call`.
    private(set) var url: URL?
    /// The values of each option; none for a switch.
    var options: [String: [String]] = [:]
    /// Name, what stands for the value (empty for a switch), the commands that have it (empty for all), and the help.
    private static let table: [(name: String, value: String, commands: Set<Command>, help: String)] = [
        ("--provider", "NAME", [.login], "an issuer of the list below"),
        ("--issuer", "URL", [.login], "any OpenID Connect issuer, exactly as its metadata spell it"),
        ("--client-id", "ID", [.login], "the client that is registered there"),
        ("--client-secret-file", "F", [.login], "a file with the client's secret; its path is remembered"),
        ("--scope", "WORDS", [.login], "the scopes, with spaces between; openid is always added"),
        ("--param", "K=V", [.login], "a parameter of the page, such as prompt=consent; may be repeated"),
        ("--device", "", [.login], "signs in on another device, by a code"),
        ("--dpop", "", [.login], "binds the tokens to a key of this machine (RFC 9449)"),
        ("--host", "NAME", [.login], "the redirect URI's host: 127.0.0.1 unless given, localhost or [::1]"),
        ("--port", "N", [.login], "its port; any free one unless given"),
        ("--path", "/PATH", [.login, .logout], "its path; /callback unless given"),
        ("--browser", "CMD", [.login, .logout], "the browser; gets a page as last argument, or the address as %s"),
        ("--no-browser", "", [.login, .logout], "shows the address, and opens nothing"),
        ("--force-refresh", "", [.token], "gets a new access token in any case"),
        ("--show-token", "", [.token], "prints the access token"),
        ("--everywhere", "", [.logout], "ends the user's sessions on other devices, too"),
        ("--end-session", "", [.logout], "shows the issuer's page to log out at"),
        ("--store", "PATH", [], "the folder of the session"),
        ("--timeout", "SECONDS", [], "ends the command after that time"),
        ("--json", "", [], "one JSON object a line, and nothing else on the standard output"),
    ]

    static var usage: String {
        let rows = table.map { "  \($0.name) \($0.value)".padding(toLength: 25, withPad: " ", startingAt: 0) + $0.help }
        return """
            Usage: signin COMMAND [OPTION]…
              login     signs in and keeps the session; without a client, as the last time
              status    says who is signed in; sends nothing
              token     says whether there is an access token; refreshes one that has expired
              userinfo  gets the issuer's claims about the user
              call URL  gets a URL with the access token
              watch     refreshes ahead of expiry and shows each change, until Ctrl-C or the session's end
              logout    ends the session here, and its tokens where the issuer has an endpoint for that
            \(rows.joined(separator: "\n"))
            Providers: what each can do in a terminal, and the client that it needs
              google    browser, refresh; a client of type Desktop, with its secret. --device: of type TV
              line      browser, refresh; channel ID and secret, http://localhost:8477/callback
              entra     browser, --device, refresh; a public client, http://localhost/callback
              github    --device alone, no refresh, the token outlives logout; an app with its device flow
              kakao     browser, refresh; REST API key and secret, http://localhost:8477/callback
              naver     browser, refresh, no userinfo; client ID and secret, http://localhost:8477/callback
              apple     nothing: its page answers no program, but a relay page on a server

            Exits with 0, or 1 if it failed, 2 for invalid arguments, 3 if no user is signed in, 130 after Ctrl-C.
            """
    }

    init(_ words: [String]) throws(AuthError) {
        guard let command = words.first.flatMap(Command.init) else {
            throw Self.wrong("The first word must be a command.")
        }
        self.command = command
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            let option = Self.table.first { $0.name == word && ($0.commands.isEmpty || $0.commands.contains(command)) }
            if command == .call, url == nil, !word.hasPrefix("-") {
                url = URL(string: word)
            } else if let option {
                let values = option.value.isEmpty ? [] : [rest.popFirst() ?? ""]
                guard values != [""] else { throw Self.wrong("'\(word)' needs a value: \(option.value).") }
                options[word, default: []] += values
            } else {
                throw Self.wrong("'\(word)' is no option of '\(command.rawValue)'.")
            }
        }
        // Another working directory must not change what is remembered.
        options["--client-secret-file"] = self["--client-secret-file"].map { [URL(filePath: $0).absoluteURL.path] }
        guard !has("--browser") || !has("--no-browser") else { throw Self.wrong("'--no-browser' opens no browser.") }
        guard command != .call || url?.host() != nil else { throw Self.wrong("'call' needs a URL.") }
        for (name, range) in [("--port", 0...65_535), ("--timeout", 1...86_400)]
        where !range.contains(Int(self[name] ?? "1") ?? -1) {
            throw Self.wrong("'\(name)' needs a number from \(range.lowerBound) to \(range.upperBound).")
        }
    }
    static func wrong(_ text: String) -> AuthError { AuthError(.init(rawValue: "usage"), "\(text) See signin --help.") }
    var timeout: Duration? { self["--timeout"].flatMap { Int($0) }.map { .seconds($0) } }
    func has(_ name: String) -> Bool { options[name] != nil }
    subscript(name: String) -> String? { options[name]?.last }
}
