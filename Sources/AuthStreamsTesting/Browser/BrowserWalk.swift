import AuthStreams
import Foundation

/// A person's way through pages, from the one that was opened to the last: it takes each response, and says what comes next.
struct BrowserWalk {
    enum Step {
        case load(AuthHTTPRequest)
        /// Passes the URL to the app of its scheme.
        case handOver(URL)
        case end(ScriptedBrowser.Outcome)

        fileprivate static func fail(_ reason: String) -> Self { .end(.failed(reason)) }
    }

    private static let redirectLimit = 10
    private static let formLimit = 5

    private let answer: ScriptedBrowser.Answer
    /// The redirects since the last page.
    private var redirects = 0
    /// The pages that were left by their form.
    private var forms = 0
    /// The cookies of each host.
    private var cookies: [String: [String: String]] = [:]

    init(_ answer: ScriptedBrowser.Answer) { self.answer = answer }

    static func isWebPage(_ url: URL) -> Bool {
        ["http", "https"].contains(url.scheme?.lowercased()) && url.host()?.isEmpty == false
    }

    /// Opens the first page.
    func open(_ url: URL) -> Step { load(.get, url) }

    /// Takes the response to the request of the last step.
    ///
    /// - Returns: The page's title, if it is one with a title, and the next step.
    mutating func receive(_ response: AuthHTTPResponse, to request: AuthHTTPRequest) -> (title: String?, next: Step) {
        if let (name, value) = response.cookie { cookies[request.url.host() ?? "", default: [:]][name] = value }
        if [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] {
            redirects += 1
            guard redirects <= Self.redirectLimit else { return (nil, .fail("The redirects go in circles.")) }
            return (nil, follow(location, after: request, status: response.status))
        }
        let page = response.page
        let next = look(at: page, of: response, at: request.url)
        (redirects, forms) = (0, forms + 1)
        if case .load = next, forms > Self.formLimit {
            return (page?.title, .fail("One form leads to the next without an end."))
        }
        return (page?.title, next)
    }

    /// Follows a redirect as browsers do: a POST becomes a GET, except after 307 and 308 (RFC 9110 section 15.4).
    private func follow(_ location: String, after request: AuthHTTPRequest, status: Int) -> Step {
        guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL, target.scheme != nil else {
            return .fail("A redirect leads to what is no URL.")
        }
        guard Self.isWebPage(target) else { return .handOver(target) }
        return [307, 308].contains(status) ? load(request.method, target, form: request.body) : load(.get, target)
    }

    private func look(at page: HTMLPage?, of response: AuthHTTPResponse, at url: URL) -> Step {
        guard response.isSuccess else {
            return .fail("The server answered \(response.status)\(page?.title.map { ": \($0)" } ?? "").")
        }
        guard let page, let form = page.forms.first else {
            let reason = page == nil ? "The server answered something that is no HTML page." : "The page has no form."
            return forms > 0 ? .end(.arrived) : .fail(reason)
        }
        if page.submitsItself { return submit(form, pressing: nil, at: url) }
        switch answer.kind {
        case .close: return .end(.closed)
        case .ignore: return .end(.ignored)
        case .approve, .deny:
            for form in page.forms {
                if let button = answer.button(of: form) { return submit(form, pressing: button, at: url) }
            }
            return .fail("The page has no button for what the person wants to do.")
        }
    }

    private func submit(_ form: HTMLForm, pressing button: HTMLForm.Control?, at url: URL) -> Step {
        guard let fields = form.fields(pressing: button, choosing: button.flatMap { answer.choice(beside: $0) }) else {
            return .fail("The page does not offer the account that was to be chosen.")
        }
        let action = form.action.flatMap { $0.isEmpty ? nil : $0 } ?? url.absoluteString
        guard let target = URL(string: action, relativeTo: url)?.absoluteURL, Self.isWebPage(target),
            var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
        else { return .fail("The form leads to what is no web page.") }
        let body = FormCoding.encode(fields)
        if form.isPost { return load(.post, target, form: Data(body.utf8)) }
        parts.percentEncodedQuery = body
        return parts.url.map { load(.get, $0) } ?? .fail("The form's fields make no URL.")
    }

    private func load(_ method: AuthHTTPRequest.Method, _ url: URL, form: Data? = nil) -> Step {
        // The fragment is never sent (RFC 9110 section 4.2.5).
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.fragment = nil
        var request = AuthHTTPRequest(
            method, parts?.url ?? url,
            headers: [
                .accept: "text/html,application/xhtml+xml,*/*;q=0.8", "User-Agent": "Mozilla/5.0 (ScriptedBrowser)",
            ])
        request.headers["Cookie"] = cookies[url.host() ?? ""]?.map { "\($0)=\($1)" }.joined(separator: "; ")
        if let form { (request.headers[.contentType], request.body) = (FormCoding.contentType, form) }
        return .load(request)
    }
}

extension BrowserWalk {
    /// Walks to the end, over a network.
    static func run(
        from url: URL, _ answer: ScriptedBrowser.Answer, over transport: any AuthHTTPTransport,
        record: (ScriptedBrowser.Page) -> Void, deliver: (URL) -> Bool
    ) async -> ScriptedBrowser.Outcome {
        var walk = BrowserWalk(answer)
        var step = walk.open(url)
        while true {
            switch step {
            case .end(let outcome): return outcome
            case .handOver(let target): return .handedOver(AuthError.scrubbed(target), isAccepted: deliver(target))
            case .load(let request):
                let (url, port) = (request.url, request.url.port.map { ":\($0)" } ?? "")
                let address = "\(url.host() ?? "")\(port)\(url.path())"
                var page = ScriptedBrowser.Page(request.method.rawValue, address, status: nil)
                do throws(AuthError) {
                    let response = try await transport.send(request)
                    page.status = response.status
                    (page.title, step) = walk.receive(response, to: request)
                } catch {
                    step = error.code == .cancelled ? .end(.closed) : .fail("No answer came: \(error.code.rawValue).")
                }
                record(page)
            }
        }
    }
}

extension AuthHTTPResponse {
    fileprivate var page: HTMLPage? {
        guard headers[.contentType]?.lowercased().hasPrefix("text/html") == true else { return nil }
        return HTMLPage(String(decoding: body, as: UTF8.self))
    }

    /// The cookie that it sets. A walk keeps only one of a response.
    fileprivate var cookie: (name: String, value: String)? {
        guard let pair = headers["Set-Cookie"]?.prefix(while: { $0 != ";" }) else { return nil }
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
}
