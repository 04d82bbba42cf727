import AuthStreams
import Foundation
import LoopbackHTTP

/// The emulator's page for developers: what happens now, and what it consists of. Its script asks for the page again after each answer
/// and change of the configuration.
struct Dashboard {
    private let context: EmulatorContext
    private let say: PageLanguage
    private let exchanges: [Exchange]

    /// The newest requests that it reads for sign-ins, and shows.
    private static let (readRequests, shownRequests, shownSignIns) = (256, 50, 10)

    init(_ context: EmulatorContext, for request: LoopbackRequest) {
        self.context = context
        say = PageLanguage(
            chosen: request.queryItems.first { $0.name == "lang" }?.value, accepted: request.header("Accept-Language"))
        exchanges = context.router.journal.exchanges.suffix(Self.readRequests)
    }

    private var configuration: EmulatorConfiguration { context.configuration }

    var response: LoopbackResponse {
        let other =
            say == .english
            ? #"<a href="?lang=ko" lang="ko" hreflang="ko">한국어</a>"#
            : #"<a href="?lang=en" lang="en" hreflang="en">English</a>"#
        let (from, to) = ("<code>https://HOST/PATH</code>", "<code>\(HTML.escape(context.base))/HOST/PATH</code>")
        let sections = [
            ("try", say("Try a sign-in", "로그인 테스트"), tries), ("requests", say("Live requests", "실시간 요청"), requests),
            ("signins", say("Sign-ins", "로그인 흐름"), signIns),
            ("state", say("Clock, faults and sessions", "시계, 오류 주입, 세션"), state),
            ("people", say("People", "테스트 사용자"), people),
            ("clients", say("Clients and secrets", "클라이언트와 시크릿"), clients),
            ("services", say("Services", "서비스"), services),
        ]
        return .html(
            PageStyle.document(
                title: say("AuthStreams emulator", "AuthStreams 에뮬레이터"), width: "60rem", language: say,
                body: """
                    <p class="quiet">\(other)</p>
                    <h1>\(say("AuthStreams emulator", "AuthStreams 에뮬레이터"))</h1>
                    <p>\(say("What production serves at \(from) is served here at \(to).", "실제 서비스의 \(from) 요청은 이 에뮬레이터의 \(to)에서 처리합니다."))</p>
                    <nav>\(sections.map { "<a href=\"#\($0.0)\">\($0.1)</a>" }.joined(separator: "\n"))</nav>
                    \(sections.map(section).joined(separator: "\n"))
                    <script>\(Self.script(after: exchanges.compactMap(\.answer).max() ?? 0))</script>
                    """)
        ).uncached
    }

    private func section(_ id: String, _ title: String, _ content: String) -> String {
        #"<section id="\#(id)" aria-labelledby="\#(id)-title"><h2 id="\#(id)-title">\#(title)</h2>\#n\#(content)</section>"#
    }

    private func list(_ items: [String], _ none: String = "") -> String {
        items.isEmpty ? "<p>\(none)</p>" : "<ul>\n\(items.map { "<li>\($0)</li>" }.joined(separator: "\n"))\n</ul>"
    }

    private var tries: String {
        func link(_ address: String, _ title: String) -> String {
            "<a href=\"/\(HTML.escape(address))\">\(title)</a>"
        }
        let (server, supabase) = (EmulatorConfiguration.Server.host, EmulatorConfiguration.Supabase.host)
        return list(
            TriedProvider.all(for: configuration).map {
                link("\(AppServer.host)/try/\($0.id)?lang=\(say.rawValue)", $0.name)
            })
            + list(
                AccountPage.brands.map {
                    link($0.host + AccountPage.path, say("Revoke access at \($0.name)", "\($0.name)에서 연결 끊기"))
                } + [
                    link(
                        configuration.firebase.actionHost + FirebaseMailbox.path, say("Firebase emails", "Firebase 메일")),
                    link(server + ServerMailbox.path, say("Messages of the app's server", "앱 서버가 보낸 메시지")),
                    link(supabase + EmulatedGoTrue.messagesPath, say("Messages of Supabase", "Supabase가 보낸 메시지")),
                ])
    }

    // MARK: Requests

    private var requests: String {
        let none = say(
            "No requests yet. Sign in above, or send an app's requests to this address.",
            "아직 요청이 없습니다. 위에서 로그인하거나 앱을 이 주소에 연결하세요.")
        return list(exchanges.suffix(Self.shownRequests).reversed().map(request), none)
    }

    private func request(_ exchange: Exchange) -> String {
        let (entry, request, refusal) = (exchange.entry, exchange.request, Refusal(exchange))
        let masks = SecretMasks(of: exchange)
        let body = request?.form.items.isEmpty == true ? request?.json : nil
        let came = (request?.query.items ?? []) + (request?.form.items ?? []) + (body?.rows ?? [])
        let location = exchange.location.map { [(name: "Location", value: $0)] } ?? []
        let answered = location + (exchange.json.flatMap(AuthJSON.init(json:))?.rows ?? [])
        let notes = [entry.note, exchange.fault.map { say("Fault: \($0)", "주입된 오류: \($0)") }].compactMap(\.self)
        return """
            <details id="r\(entry.number)"><summary><time>\(Self.time(of: exchange.beganAt))</time> \(HTML.escape(entry.method))
            \(HTML.escape(masks.shown(entry.host + entry.path))) \(status(of: exchange, refusal))</summary>
            \(table(say("Request", "요청 내용"), came, masks))
            \(table(say("Response", "응답 내용"), answered, masks))</details>
            \(refusal?.reason.map { "<p class=\"bad\">\(HTML.text($0, on: say))</p>" } ?? "")
            \((refusal?.mismatches ?? []).map { MismatchView(mismatch: $0, say: say).html }.joined(separator: "\n"))
            \(notes.map { "<p>\(HTML.text($0, on: say))</p>" }.joined())
            """
    }

    private func status(of exchange: Exchange, _ refusal: Refusal?) -> String {
        guard let status = exchange.entry.status else { return say("Pending", "응답 대기 중") }
        let text = "\(status) · \(exchange.milliseconds) ms"
        return refusal != nil ? "<strong class=\"bad\">\(text)</strong>" : text
    }

    private func table(_ title: String, _ rows: [(name: String, value: String)], _ masks: SecretMasks) -> String {
        let items = rows.map { "<dt>\(HTML.escape($0))</dt><dd><code>\(HTML.escape(masks.shown($1)))</code></dd>" }
        return items.isEmpty ? "" : "<h3>\(title)</h3>\n<dl>\n\(items.joined(separator: "\n"))\n</dl>"
    }

    private static func time(of date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: true))
    }

    // MARK: Sign-ins

    private var signIns: String {
        let traces = SignInTrace.all(in: exchanges, configuration).prefix(Self.shownSignIns).map(diagram)
        return traces.isEmpty ? "<p>\(say("No sign-ins yet.", "아직 로그인이 없습니다."))</p>" : traces.joined(separator: "\n")
    }

    private func diagram(_ trace: SignInTrace) -> String {
        let (hops, first) = (trace.hops, trace.exchanges[0])
        let names = SignInTrace.participants(in: hops)
        let lines = hops.map { hop in
            let (from, to) = (names.firstIndex(of: hop.from) ?? 0, names.firstIndex(of: hop.to) ?? 0)
            let after = ((hop.exchange.began - first.began) / .milliseconds(1) * 10).rounded() / 10
            return """
                <li><span class="arrow \(from <= to ? "right" : "left")" aria-hidden="true"
                style="grid-column: \(2 * min(from, to) + 2) / \(2 * max(from, to) + 2)"></span>
                <span class="hop">+\(after) ms · \(name(hop.from)) → \(name(hop.to)) ·
                \(HTML.escape(hop.exchange.entry.method)) \(HTML.escape(String(hop.exchange.entry.path.prefix(300)))) · \(status(of: hop.exchange, Refusal(hop.exchange)))</span></li>
                """
        }
        return """
            <details id="s\(first.entry.number)" open><summary>\(Self.time(of: first.beganAt)) ·
            \(names.map(name).joined(separator: ", "))</summary>
            <ol class="sequence" role="list" style="--lanes: \(2 * names.count)">
            <li class="names" aria-hidden="true">\(names.map { "<span>\(name($0))</span>" }.joined())</li>
            \(lines.joined(separator: "\n"))
            </ol></details>
            """
    }

    private func name(_ participant: String) -> String {
        let korean = ["Browser": "브라우저", "App": "앱", "Server": "서버"]
        return HTML.escape(say(participant, korean[participant] ?? participant))
    }

    // MARK: What there is

    private var state: String {
        let offset = context.router.offset
        let clock = "\(context.now.formatted(.iso8601)) (\(offset < 0 ? "" : "+")\(offset.setting.words) s)"
        let faults = context.router.faults.all.map { fault in
            "\(HTML.escape(fault.endpoint.description)): <code>\(HTML.escape(fault.title))</code> \(fault.times == .once ? say("once", "한 번만") : say("always", "매번"))"
        }
        let sessions = context.world.services.sorted { $0.key < $1.key }.flatMap { host, services in
            // A service of several hosts is counted at its first one.
            services.filter { $0.hosts.first == host }.flatMap { $0.sessions(at: context.now) }
        }
        .filter { $0.count > 0 }.suffix(Self.shownRequests)
        .map { "\(HTML.escape($0.service)): \(HTML.text($0.user, on: say)) · \($0.count)" }
        return """
            <p>\(say("Clock", "시계")): <code>\(clock)</code></p>
            <h3>\(say("Faults", "주입된 오류"))</h3>\n\(list(faults, say("None.", "없음.")))
            <h3>\(say("Sessions", "세션"))</h3>\n\(list(sessions, say("None.", "없음.")))
            """
    }

    private var people: String {
        list(
            Grant.Issuer.allCases.flatMap { issuer in
                configuration.users(at: issuer).map { user in
                    let hasAccess = context.grants.hasTokens(of: issuer, userID: user.id)
                    return """
                        \(HTML.escape(issuer.rawValue)): \(HTML.text(user.name, on: say)) <code>\(HTML.escape(user.id))</code>
                        \(HTML.escape(user.email ?? "")) \(hasAccess ? say("· the app has access", "· 앱에 연결됨") : "")
                        """
                }
            })
    }

    private var clients: String {
        let rows = configuration.clientIDs.map { ($0.name, $0.id) } + configuration.secrets.map { ($0.name, $0.value) }
        return """
            <dl>\n\(rows.map { "<dt lang=\"en\">\(HTML.escape($0))</dt><dd><code class=\"copy\">\(HTML.escape($1))</code></dd>" }.joined(separator: "\n"))\n</dl>
            <p class="quiet">\(say("These keys and secrets are public. Don't accept them in production.", "이 키와 시크릿은 공개되어 있습니다. 실제 서비스에서는 사용하지 마세요."))</p>
            """
    }

    private var services: String {
        list(context.world.services.keys.sorted().map { "<code>\(HTML.escape($0))</code>" })
    }

    /// Asks for the page again after an answer, one request at a time, and puts its changed sections in place.
    private static func script(after answer: Int) -> String {
        """
        const sections = ['requests', 'signins', 'state', 'people', 'clients', 'services'];
        const texts = new Map(sections.map(id => [id, document.getElementById(id).innerHTML]));
        let isBusy = false, isOld = false, isPressed = false;
        const isHeld = () => isPressed || !getSelection().isCollapsed;
        async function show() {
          if (isBusy || isHeld()) { isOld = true; return; }
          isBusy = true; isOld = false;
          try {
            const answer = await fetch(location.href);
            const text = answer.ok ? await answer.text() : '';
            if (isHeld()) { isOld = true; return; }
            const page = new DOMParser().parseFromString(text, 'text/html');
            const states = new Map([...document.querySelectorAll('details')].map(e => [e.id, e.open]));
            const focused = document.activeElement?.closest('details')?.id;
            for (const id of sections) {
              const [now, next] = [document.getElementById(id), page.getElementById(id)];
              if (next && texts.get(id) != next.innerHTML) now.replaceWith(next);
              if (next) texts.set(id, next.innerHTML);
            }
            for (const e of document.querySelectorAll('details')) e.open = states.get(e.id) ?? e.open;
            if (focused) document.getElementById(focused)?.querySelector('summary').focus({ preventScroll: true });
          } catch { } finally { setTimeout(() => { isBusy = false; if (isOld) show(); }, 200); }
        }
        // A page that is not seen gives up its connection: a browser has few to one address.
        let events;
        function follow() {
          events?.close();
          if (document.hidden) return;
          events = new EventSource('/emulator/events?after=\(answer)');
          for (const type of ['request', 'change']) events.addEventListener(type, show);
          events.onopen = show;
        }
        document.addEventListener('visibilitychange', follow);
        document.addEventListener('selectionchange', () => { if (isOld) show(); });
        // A click has to end on what it began on.
        document.addEventListener('pointerdown', e => { isPressed = e.button == 0; });
        for (const type of ['pointerup', 'pointercancel'])
          document.addEventListener(type, () => { isPressed = false; if (isOld) show(); });
        follow();
        """
    }
}

/// What a refused request had beside what is registered, and how to fix it.
struct MismatchView {
    let mismatch: Mismatch
    let say: PageLanguage

    var html: String {
        let none = say("nothing", "없음")
        let expected = mismatch.expected.map { "<code>\(HTML.escape($0))</code>" }.joined(separator: "<br>")
        return """
            <dl class="mismatch"><dt>\(say("Sent", "보낸 값")) <code>\(HTML.escape(mismatch.name))</code></dt>
            <dd>\(mismatch.sent.map { "<code>\(HTML.escape(String($0.prefix(300))))</code>" } ?? none)</dd>
            \(expected.isEmpty ? "" : "<dt>\(say("Expected", "허용되는 값"))</dt><dd>\(expected)</dd>")
            <dt>\(say("How to fix it", "해결 방법"))</dt><dd>\(HTML.text(say(mismatch.remedy), on: say))</dd></dl>
            """
    }
}
