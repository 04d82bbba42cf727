import Foundation
import LoopbackHTTP

/// The pages that the browser shows after it returns to this machine.
enum LoopbackPage {
    case done
    case notHere
    /// The request names another host, so it is from a page whose name was pointed at this machine (DNS rebinding).
    case notThisHost
    case notThisAttempt
    case withoutCookie
    case startedTwice

    fileprivate var status: Int {
        switch self {
        case .done: 200
        case .notThisAttempt: 400
        case .withoutCookie, .startedTwice: 403
        case .notHere: 404
        case .notThisHost: 421
        }
    }

    fileprivate var texts: (english: String, korean: String) {
        switch self {
        case .done: ("You can close this window and go back to the app.", "이 창을 닫고 앱으로 돌아가세요.")
        case .notHere, .notThisHost: ("There is nothing here.", "찾을 수 없는 페이지입니다.")
        case .notThisAttempt: ("This is not the sign-in under way.", "진행 중인 로그인이 아닙니다.")
        case .withoutCookie:
            (
                """
                This browser did not begin the sign-in, or it blocks cookies. Allow cookies for this address and sign \
                in again.
                """,
                "이 브라우저에서 시작한 로그인이 아니거나 쿠키가 차단되어 있습니다. 이 주소의 쿠키를 허용하고 다시 로그인하세요."
            )
        case .startedTwice:
            (
                "This sign-in was opened twice and has ended. Go back to the app and sign in again.",
                "이 로그인은 두 번 열려서 종료되었습니다. 앱으로 돌아가서 다시 로그인하세요."
            )
        }
    }
}

extension LoopbackResponse {
    /// Redirects the browser to the provider's page and sets the cookie.
    static func leading(to url: URL, with cookie: (name: String, value: String)) -> Self {
        var response = redirect(to: url.absoluteString)
        response.headers += [
            cookie, ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("Connection", "close"),
        ]
        return response
    }

    /// A page in both languages, the preferred one of the browser first.
    ///
    /// It loads nothing, shows nothing of the request and is not cached, because its URL contains the code.
    static func page(_ page: LoopbackPage, for request: LoopbackRequest) -> Self {
        let (english, korean) = (("en", page.texts.english), ("ko", page.texts.korean))
        let (first, second) = request.prefersKorean ? (korean, english) : (english, korean)
        var response = html(
            """
            <!doctype html>
            <html lang="\(first.0)">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(first.1)</title>
            <style>
            :root { color-scheme: light dark; font: 1.1rem/1.6 system-ui, sans-serif }
            body { min-height: 90vh; display: grid; place-content: center; text-align: center }
            </style>
            <p>\(first.1)</p>
            <p lang="\(second.0)">\(second.1)</p>
            </html>
            """, status: page.status)
        response.headers += [
            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("Connection", "close"),
            ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        ]
        return response
    }
}

extension LoopbackRequest {
    /// Whether the browser prefers Korean to English, by its `Accept-Language` (RFC 9110 section 12.5.4).
    fileprivate var prefersKorean: Bool {
        var (best, weight) = ("en", 0.0)
        for range in (header("Accept-Language") ?? "").lowercased().split(separator: ",") {
            let parts = range.split(separator: ";", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let language = parts[0].prefix { $0 != "-" }
            let own = parts.first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if ["en", "ko"].contains(language), own > weight { (best, weight) = (String(language), own) }
        }
        return best == "ko"
    }
}
