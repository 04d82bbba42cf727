import AuthStreams
import Foundation

/// A person's way through pages, from the one that was opened to the last.
struct BrowserWalk: Sendable {
    let transport: any AuthHTTPTransport
    let answer: ScriptedBrowser.Answer
    let deliver: @Sendable (URL) -> Bool
    let record: @Sendable (ScriptedBrowser.Page) -> Void

    /// The next step of the walk.
    private enum Step {
        case go(AuthHTTPRequest)
        case end(ScriptedBrowser.Outcome)
    }

    private static let redirectLimit = 10
    private static let formLimit = 5

    static func isWebPage(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased(), let host = url.host() else { return false }
        return (scheme == "http" || scheme == "https") && !host.isEmpty
    }

    func run(from url: URL) async -> ScriptedBrowser.Outcome {
        var request = Self.request(.get, url)
        var redirects = 0
        var forms = 0
        var cookies: [String: [String: String]] = [:]
        while true {
            let host = request.url.host() ?? ""
            request.headers["Cookie"] = cookies[host]?.map { "\($0)=\($1)" }.joined(separator: "; ")
            let response: AuthHTTPResponse
            do throws(AuthError) {
                response = try await transport.send(request)
            } catch {
                record(page(for: request, status: nil, title: nil))
                return error.code == .cancelled ? .closed : .failed("No answer came: \(error.code.rawValue).")
            }
            if let (name, value) = Self.cookie(of: response) { cookies[host, default: [:]][name] = value }
            let step: Step
            if let location = Self.location(of: response) {
                record(page(for: request, status: response.status, title: nil))
                redirects += 1
                guard redirects <= Self.redirectLimit else { return .failed("The redirects go in circles.") }
                step = follow(location, after: request, status: response.status)
            } else {
                let page = Self.read(response)
                record(self.page(for: request, status: response.status, title: page?.title))
                step = look(at: page, of: response, at: request.url, hasAnswered: forms > 0)
                redirects = 0
                forms += 1
            }
            guard case .go(let next) = step else {
                if case .end(let outcome) = step { return outcome }
                return .closed
            }
            guard forms <= Self.formLimit else { return .failed("One form leads to the next without an end.") }
            request = next
        }
    }

    /// Follows a redirect as browsers do: a POST becomes a GET, except after 307 and 308 (RFC 9110 section 15.4).
    private func follow(_ location: String, after request: AuthHTTPRequest, status: Int) -> Step {
        guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL, target.scheme != nil else {
            return .end(.failed("A redirect leads to what is no URL."))
        }
        guard Self.isWebPage(target) else {
            return .end(.handedOver(AuthError.scrubbed(target), isAccepted: deliver(target)))
        }
        guard status == 307 || status == 308 else { return .go(Self.request(.get, target)) }
        var repeated = request
        repeated.url = Self.withoutFragment(target)
        return .go(repeated)
    }

    private func look(at page: HTMLPage?, of response: AuthHTTPResponse, at url: URL, hasAnswered: Bool) -> Step {
        guard response.isSuccess else {
            return .end(.failed("The server answered \(response.status)\(page?.title.map { ": \($0)" } ?? "")."))
        }
        guard let page else {
            return .end(hasAnswered ? .arrived : .failed("The server answered something that is no HTML page."))
        }
        if page.submitsItself, let form = page.forms.first {
            return submit(form, pressing: nil, at: url)
        }
        guard !page.forms.isEmpty else {
            return .end(hasAnswered ? .arrived : .failed("The page has no form."))
        }
        switch answer.kind {
        case .close: return .end(.closed)
        case .ignore: return .end(.ignored)
        case .approve, .deny:
            for form in page.forms {
                if let button = answer.button(of: form) { return submit(form, pressing: button, at: url) }
            }
            return .end(.failed("The page has no button for what the person wants to do."))
        }
    }

    private func submit(_ form: HTMLForm, pressing button: HTMLForm.Control?, at url: URL) -> Step {
        guard let fields = form.fields(pressing: button, choosing: button.flatMap { answer.choice(beside: $0) }) else {
            return .end(.failed("The page does not offer the account that was to be chosen."))
        }
        let action = form.action.flatMap { $0.isEmpty ? nil : $0 } ?? url.absoluteString
        guard let target = URL(string: action, relativeTo: url)?.absoluteURL, Self.isWebPage(target) else {
            return .end(.failed("The form leads to what is no web page."))
        }
        let body = FormCoding.encode(fields)
        if form.isPost {
            var request = Self.request(.post, target)
            request.headers[.contentType] = FormCoding.contentType
            request.body = Data(body.utf8)
            return .go(request)
        }
        guard var parts = URLComponents(url: target, resolvingAgainstBaseURL: true) else {
            return .end(.failed("The form leads to what is no web page."))
        }
        parts.percentEncodedQuery = body
        return parts.url.map { .go(Self.request(.get, $0)) } ?? .end(.failed("The form's fields make no URL."))
    }

    private static func read(_ response: AuthHTTPResponse) -> HTMLPage? {
        guard response.headers[.contentType]?.lowercased().hasPrefix("text/html") == true else { return nil }
        return HTMLPage(String(decoding: response.body, as: UTF8.self))
    }

    private static func location(of response: AuthHTTPResponse) -> String? {
        [301, 302, 303, 307, 308].contains(response.status) ? response.headers["Location"] : nil
    }

    /// Returns the cookie that a response sets. The walk keeps only one.
    private static func cookie(of response: AuthHTTPResponse) -> (name: String, value: String)? {
        guard let pair = response.headers["Set-Cookie"]?.prefix(while: { $0 != ";" }) else { return nil }
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    private static func request(_ method: AuthHTTPRequest.Method, _ url: URL) -> AuthHTTPRequest {
        let headers: [HeaderName: String] = [
            .accept: "text/html,application/xhtml+xml,*/*;q=0.8", "User-Agent": "Mozilla/5.0 (ScriptedBrowser)",
        ]
        return AuthHTTPRequest(method, withoutFragment(url), headers: headers)
    }

    /// Removes the fragment, which is never sent (RFC 9110 section 4.2.5).
    private static func withoutFragment(_ url: URL) -> URL {
        guard url.fragment != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return url
        }
        parts.fragment = nil
        return parts.url ?? url
    }

    private func page(for request: AuthHTTPRequest, status: Int?, title: String?) -> ScriptedBrowser.Page {
        let port = request.url.port.map { ":\($0)" } ?? ""
        let address = (request.url.host() ?? "") + port + request.url.path()
        return .init(request.method.rawValue, address, status: status, title: title)
    }
}
