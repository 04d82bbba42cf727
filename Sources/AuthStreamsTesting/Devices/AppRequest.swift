import AuthStreams
import Foundation

/// A request to an app: for a code, with its client and callback URL.
struct AppRequest {
    let app: EmulatedApps.App
    /// The form that the app sends to its own server to get the code.
    let fields: [(name: String, value: String)]
    /// The callback URL, without the query.
    let callback: String

    init(_ app: EmulatedApps.App, url: URL) throws(AppRequestError) {
        self.app = app
        switch app {
        case .kakaoTalk: (fields, callback) = try KakaoTalkURL.read(url)
        case .naver: (fields, callback) = try NaverAppURL.read(url)
        }
    }

    /// Requests the answer from the app's server, which the emulator plays.
    func redirect(
        decision: String, user: String?, _ emulator: URL, _ transport: any AuthHTTPTransport
    ) async throws(AppRequestError) -> URL {
        guard let endpoint = URL(string: emulator.absoluteString.trimmingSuffix("/") + path) else {
            throw AppRequestError(explanation: "The emulator's address is no URL to build on.")
        }
        var form = fields + [("decision", decision)]
        if let user { form.append(("user", user)) }
        let request = AuthHTTPRequest(
            .post, endpoint, headers: [.contentType: FormCoding.contentType], body: Data(FormCoding.encode(form).utf8))
        let response: AuthHTTPResponse
        do { response = try await transport.send(request) } catch {
            throw AppRequestError(
                explanation: "\(app.rawValue) could not reach the emulator: \(error.debugDescription)")
        }
        let answer = AuthJSON(json: response.body)
        guard response.isSuccess, let redirect = answer?["redirect"]?.string, let url = URL(string: redirect) else {
            let reason = answer?["error"]?.string ?? "no reason given"
            throw AppRequestError(explanation: "\(app.rawValue)'s server answered \(response.status): \(reason).")
        }
        return url
    }

    /// Returns the answer after the person pressed the app's cancel button.
    func cancellation() throws(AppRequestError) -> URL {
        switch app {
        case .kakaoTalk: try failure("cancelled")
        case .naver: try failure("2")
        }
    }

    /// Returns the answer with an error in the app's own dialect.
    func failure(_ error: String) throws(AppRequestError) -> URL {
        let query =
            switch app {
            case .kakaoTalk: [("error", error), ("error_description", "emulated")]
            case .naver: [("code", error), ("error_detail", "emulated")]
            }
        guard let url = URL(string: "\(callback)?\(FormCoding.encode(query))") else {
            throw AppRequestError(explanation: "The callback \(callback) is no URL to answer at.")
        }
        return url
    }

    private var path: String {
        switch app {
        case .kakaoTalk: "/talk-apps.kakao.com/emulator/code"
        case .naver: "/nid.naver.com/emulator/app-code"
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
