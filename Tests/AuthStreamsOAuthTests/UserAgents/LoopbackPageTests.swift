import Foundation
import LoopbackHTTP
import Testing

@testable import AuthStreamsOAuth

/// What the browser shows at the end.
@Suite struct LoopbackPageTests {
    private static let pages: [LoopbackPage] = [
        .done, .notHere, .notThisHost, .notThisAttempt, .withoutCookie, .startedTwice,
    ]

    private func page(_ page: LoopbackPage, languages: String?) throws -> String {
        let request = try #require(
            LoopbackRequest(
                method: "GET", target: "/back?code=secret-code&state=secret-state",
                headers: languages.map { [("accept-language", $0)] } ?? []))
        return String(decoding: LoopbackResponse.page(page, for: request).body, as: UTF8.self)
    }

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("en-US,en;q=0.9", "en"), ("ko", "ko"), ("ko-KR,ko;q=0.9,en-US;q=0.8", "ko"),
            ("en-US,en;q=0.9,ko;q=0.8", "en"), ("en;q=0.2, KO-kr ; q=0.3", "ko"), ("fr,de;q=0.9,ko;q=0.1", "ko"),
            ("fr", "en"), ("*", "en"), ("ko;q=0", "en"), ("kok", "en"), ("en;q=0.5,ko;q=0.5", "en"),
            ("ko;q=x,en;q=0.1", "en"), (",;,;q=1,-,;;", "en"),
        ] as [(String?, String)])
    func preferredLanguageOfTheBrowserStandsFirst(languages: String?, first: String) throws {
        let page = try page(.done, languages: languages)
        let english = try #require(page.range(of: "You can close")?.lowerBound)
        let korean = try #require(page.range(of: "이 창을 닫고")?.lowerBound)
        #expect(page.contains("<html lang=\"\(first)\">"))
        #expect((english < korean) == (first == "en"))
        #expect(page.contains("You can close this window") && page.contains("이 창을 닫고 앱으로 돌아가세요."))
    }

    @Test func noPageHasAScriptALinkOrAnythingOfTheRequest() throws {
        for kind in Self.pages {
            for languages in ["en", "ko"] {
                let page = try page(kind, languages: languages)
                for part in ["<script", "javascript:", " on", "src=", "href=", "http", "@import", "url(", "secret"] {
                    #expect(!page.contains(part), "\(part)")
                }
            }
        }
    }

    @Test func everyPageForbidsScriptsCachesAndReferrers() throws {
        let request = try #require(LoopbackRequest(method: "GET", target: "/back"))
        for kind in Self.pages {
            let fields = Dictionary(LoopbackResponse.page(kind, for: request).headers) { first, _ in first }
            #expect(fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'; ") == true)
            #expect(fields["Cache-Control"] == "no-store" && fields["Referrer-Policy"] == "no-referrer")
            #expect(fields["X-Content-Type-Options"] == "nosniff" && fields["Connection"] == "close")
        }
    }
}
