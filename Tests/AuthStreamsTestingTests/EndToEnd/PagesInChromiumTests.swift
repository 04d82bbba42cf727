#if os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// What people see of the emulator's pages, in a browser that people use (WCAG 2.2, 1.4.3, 1.4.10 and 1.4.11).
    @MainActor
    @Suite(.limitedParallelization, .enabled(if: Chromium.program != nil, "Chromium is not installed."))
    struct PagesInChromiumTests {
        /// Lists what is hard to see: text below 4.5:1, edges and focus rings below 3:1, and a page wider than its window.
        private static let audit = """
            (() => {
                const parse = text => {
                    const parts = text.match(/[\\d.]+/g).map(Number);
                    const scale = text.startsWith('color(') ? 255 : 1;
                    return { r: parts[0] * scale, g: parts[1] * scale, b: parts[2] * scale, a: parts[3] ?? 1 };
                };
                const over = (top, below) => ({
                    r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a),
                    b: top.b * top.a + below.b * (1 - top.a), a: 1 });
                const ground = element => {
                    if (!element) return { r: 255, g: 255, b: 255, a: 1 };
                    const own = parse(getComputedStyle(element).backgroundColor);
                    return own.a == 1 ? own : over(own, ground(element.parentElement));
                };
                const light = color => {
                    const [r, g, b] = [color.r, color.g, color.b].map(value => {
                        value /= 255;
                        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
                    });
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const contrast = (one, other) => {
                    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
                    return (high + 0.05) / (low + 0.05);
                };
                const faults = [];
                const check = (element, what, ratio, least) => {
                    if (ratio < least) faults.push(`${element.tagName} '${element.textContent.trim().slice(0, 20)}' ${what} ${ratio.toFixed(2)}`);
                };
                const opacity = element => element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
                for (const element of document.querySelectorAll('body *')) {
                    if (!element.checkVisibility()) continue;
                    const style = getComputedStyle(element), below = ground(element);
                    const hasText = [...element.childNodes].some(node => node.nodeType == 3 && node.data.trim());
                    if (hasText) {
                        const color = parse(style.color);
                        color.a *= opacity(element);
                        check(element, 'text', contrast(over(color, below), below), 4.5);
                    }
                    if (!element.matches('a, button, input, label, select, textarea, summary')) continue;
                    const around = ground(element.parentElement);
                    if (parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle != 'none')
                        check(element, 'edge', contrast(over(parse(style.borderTopColor), around), around), 3);
                    if (element.matches('label')) continue;
                    element.focus({ focusVisible: true });
                    if (document.activeElement != element) continue;
                    const ring = getComputedStyle(element);
                    if (ring.outlineStyle == 'none') check(element, 'has no ring', 0, 1);
                    else if (ring.outlineStyle != 'auto')
                        check(element, 'ring', contrast(over(parse(ring.outlineColor), around), around), 3);
                    element.blur();
                }
                const root = document.documentElement;
                if (root.scrollWidth > innerWidth) faults.push(`wider than the window by ${root.scrollWidth - innerWidth}`);
                return { faults, address: location.href, width: innerWidth };
            })()
            """

        private static func pages(of emulator: Emulator) -> [String] {
            let configuration = emulator.configuration
            let (kakao, google) = (configuration.kakao, configuration.google)
            func page(_ address: String, _ query: [(name: String, value: String)]) -> String {
                emulator.url(for: "https://\(address)").absoluteString + "?" + FormCoding.encode(query)
            }
            return [
                emulator.baseURL.absoluteString + "/",
                page(
                    "appleid.apple.com/auth/authorize",
                    [
                        ("client_id", configuration.apple.servicesID), ("response_type", "code"),
                        ("scope", "name email"),
                        ("response_mode", "form_post"), ("state", "s"),
                        ("redirect_uri", emulator.url(for: "https://app.example/apple").absoluteString),
                    ]),
                page(
                    "accounts.google.com/o/oauth2/v2/auth",
                    [
                        ("client_id", google.web.id), ("response_type", "code"), ("scope", "openid email profile"),
                        ("redirect_uri", emulator.url(for: "https://app.example/google").absoluteString),
                    ]),
                page(
                    "kauth.kakao.com/oauth/authorize",
                    [
                        ("client_id", kakao.restAPIKey), ("response_type", "code"),
                        ("redirect_uri", emulator.url(for: "https://app.example/kakao").absoluteString),
                    ]),
                page(
                    "nid.naver.com/oauth2.0/authorize",
                    [
                        ("client_id", configuration.naver.clientID), ("response_type", "code"), ("state", "s"),
                        ("redirect_uri", emulator.url(for: "https://app.example/naver").absoluteString),
                    ]),
                emulator.baseURL.absoluteString + "/?lang=ko",
                page("kauth.kakao.com/oauth/authorize", [("client_id", "unknown")]),
                page("app.example/kakao", [("code", "none")]), page("api.pulseboard.example/emulator/messages", []),
                page("authstreams.supabase.co/emulator/messages", []),
                page("\(configuration.firebase.projectID).firebaseapp.com/emulator/mails", []),
                page(
                    "id.pulseboard.example/realms/main/protocol/openid-connect/auth",
                    [
                        ("client_id", configuration.issuer.clientID), ("response_type", "code"), ("scope", "openid"),
                        ("redirect_uri", configuration.issuer.redirectURIs[0]), ("code_challenge_method", "S256"),
                        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
                    ]),
                page("kauth.kakao.com/emulator/account", []), page("nid.naver.com/emulator/account", []),
                page("appleid.apple.com/emulator/account", []), page("www.google.com/device", []),
                page("appleid.apple.com/auth/authorize", [("client_id", "unknown")]),
                page("accounts.google.com/o/oauth2/v2/auth", [("client_id", "unknown")]),
                page("nid.naver.com/oauth2.0/authorize", [("client_id", "unknown")]),
            ]
        }

        private static var configuration: EmulatorConfiguration {
            var configuration = EmulatorConfiguration()
            configuration.google.others = [.init(id: "tv", secret: "tv-secret", kind: .limitedInput)]
            return configuration
        }

        /// Fills the dashboard: a sign-in, a refused request, a fault, and a code of a device.
        ///
        /// - Returns: The pages, with the one that asks about the device.
        private static func use(_ emulator: Emulator) async throws -> [String] {
            _ = try await EmulatedDevice(at: emulator.baseURL).auth.signIn(with: .google).value
            _ = try await Wire(emulator).get("https://kauth.kakao.com/oauth/authorize", ["client_id": "unknown"])
            emulator.inject(.status(503), at: .kakaoToken)
            let device = try await Wire(emulator).post(
                "https://oauth2.googleapis.com/device/code", ["client_id": "tv", "scope": "openid"])
            let code = try #require(device["user_code"])
            return pages(of: emulator) + ["\(emulator.url(for: "https://www.google.com/device"))?user_code=\(code)"]
        }

        @Test(arguments: ["light", "dark"]) func everythingCanBeSeenInAnyWindow(scheme: String) async throws {
            try await withEmulator(Self.configuration) { emulator in
                let pages = try await Self.use(emulator)
                try await Chromium.run { browser in
                    _ = await browser.open(try #require(URL(string: pages[0])), universalLinksOnly: false)
                    let page = try await browser.page()
                    try await page.reportErrors()
                    try await page.use(scheme: scheme)
                    for width in [320, 1_280] {
                        try await page.use(width: width)
                        for address in pages {
                            let url = try #require(URL(string: address))
                            try await page.load(url)
                            let seen = try await page.result(
                                of: "location.href == '\(address)' && innerWidth == \(width) ? \(Self.audit) : null")
                            #expect(seen["faults"]?.array == [], "\(address.prefix(70)) \(scheme) \(width)")
                        }
                        // What an app would get, with its long tokens.
                        try await page.load(emulator.url(for: "https://app.example/try/google"))
                        try await page.click("button[value=approve]")
                        try await page.waitFor("Signed in with Google")
                        let end = try await page.result(of: Self.audit)
                        #expect(end["faults"]?.array == [], "try \(scheme) \(width)")
                    }
                    // The browser reports the status of a page that refuses.
                    let errors = page.devTools.errors.filter { !pages.contains($0.url ?? "") }
                    #expect(errors.map(\.text) == [])
                }
            }
        }

        /// Each page by Tab alone: every link, button and box, and one of each group of choices.
        @Test func everythingIsReachedByKeyboardAlone() async throws {
            // Each thing has its place as its name; the choices of a group share one.
            let list = """
                [...document.querySelectorAll('a, button, input, summary')]
                    .filter(e => e.type != 'hidden' && e.checkVisibility())
                """
            let name = "(e, i) => e.type == 'radio' ? e.name : String(i)"
            try await withEmulator(Self.configuration) { emulator in
                let pages = try await Self.use(emulator)
                try await Chromium.run { browser in
                    _ = await browser.open(emulator.baseURL, universalLinksOnly: false)
                    let page = try await browser.page()
                    var count = 0
                    for address in pages {
                        try await page.load(try #require(URL(string: address)))
                        let names = try await page.result(
                            of: "location.href == '\(address)' ? \(list).map(\(name)) : null")
                        let expected = Set(names.array?.compactMap(\.string) ?? [])
                        var reached: Set<String> = []
                        for _ in 0..<expected.count + 3 where reached != expected {
                            try await page.press("Tab")
                            let name = try await page.result(
                                of: "\(list).map((e, i) => e == document.activeElement ? (\(name))(e, i) : '').join('')"
                            )
                            if let name = name.string, !name.isEmpty { reached.insert(name) }
                        }
                        #expect(reached == expected, "\(address.prefix(70))")
                        count += reached.count
                    }
                    #expect(count > 90)
                }
            }
        }

        /// The second account, by keyboard alone.
        @Test func personAgreesByKeyboardAlone() async throws {
            try await withEmulator { emulator in
                let pages = Self.pages(of: emulator)[1...4].map { String($0) }
                try await Chromium.run { browser in
                    _ = await browser.open(emulator.baseURL, universalLinksOnly: false)
                    let page = try await browser.page()
                    for (address, name) in zip(pages, ["apple", "google", "kakao", "naver"]) {
                        try await page.load(try #require(URL(string: address)))
                        _ = try await page.result(of: "location.href == '\(address)' ? true : null")
                        func focused() async throws -> String? {
                            try await page.result(of: "(e => e.name + ' ' + e.value)(document.activeElement)").string
                        }
                        try await page.press("Tab")
                        #expect(try await focused()?.hasPrefix("user ") == true)
                        let first = try await focused()
                        try await page.press("ArrowDown")
                        #expect(try await focused() != first)
                        for _ in 0..<20 where try await focused() != "decision approve" { try await page.press("Tab") }
                        try await page.press("Enter")
                        _ = try await page.result(of: "location.href.includes('app.example/\(name)') ? true : null")
                    }
                }
            }
        }

        /// The page is not loaded again: what it had before stays, such as an open request and the focus.
        @Test func dashboardShowsSignInsWhileTheyHappen() async throws {
            try await withEmulator { emulator in
                try await Chromium.run { browser in
                    _ = try await Wire(emulator).get("https://kauth.kakao.com/first")
                    _ = await browser.open(emulator.baseURL, universalLinksOnly: false)
                    let page = try await browser.page()
                    try await page.reportErrors()
                    try await page.click("#r1 summary")
                    // A press that scrolls the page ends without a click.
                    _ = try await page.result(
                        of: """
                            ['pointerdown', 'pointercancel'].every(
                              type => document.dispatchEvent(new PointerEvent(type)) && (window.isSame = true))
                            """)
                    let device = EmulatedDevice(at: emulator.baseURL)
                    for provider in [ProviderID.google, .kakao] {
                        _ = try await device.auth.signIn(with: provider).value
                    }
                    try await page.waitFor("Firebase → Kakao")
                    try await page.waitFor("Browser → Google")
                    let kept = try await page.result(
                        of: "[window.isSame, document.querySelector('#r1').open, document.activeElement.tagName]")
                    #expect(kept == [true, true, "SUMMARY"])
                    #expect(page.devTools.errors.map(\.text) == [])
                }
            }
        }
    }
#endif
