import Foundation
import LoopbackHTTP

/// The pages that the browser shows after it returns to this machine.
enum LoopbackPage {
    case done
    case notHere
    case notThisAttempt
    case withoutCookie
    case startedTwice

    fileprivate var texts: (english: String, korean: String) {
        switch self {
        case .done: ("You can close this window and go back to the app.", "이 창을 닫고 앱으로 돌아가세요.")
        case .notHere: ("There is nothing here.", "찾을 수 없는 페이지입니다.")
        case .notThisAttempt: ("This is not the sign-in under way.", "진행 중인 로그인이 아닙니다.")
        case .withoutCookie:
            (
                "This browser did not begin the sign-in, or it blocks cookies. Allow cookies for 127.0.0.1 and sign in again.",
                "이 브라우저에서 시작한 로그인이 아니거나 쿠키가 차단되어 있습니다. 127.0.0.1의 쿠키를 허용하고 다시 로그인하세요."
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

    /// A page that loads nothing, shows nothing of the request and is not cached, because its URL contains the code.
    static func page(_ page: LoopbackPage, status: Int) -> Self {
        let (english, korean) = page.texts
        var response = html(
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(english)</title>
            <style>
            :root { color-scheme: light dark; font: 1.1rem/1.6 system-ui, sans-serif }
            body { min-height: 90vh; display: grid; place-content: center; text-align: center }
            </style>
            <p>\(english)</p>
            <p lang="ko">\(korean)</p>
            </html>
            """, status: status)
        response.headers += [
            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("Connection", "close"),
            ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        ]
        return response
    }
}
