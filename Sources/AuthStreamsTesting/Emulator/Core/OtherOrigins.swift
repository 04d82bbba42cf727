import Foundation
import LoopbackHTTP

/// What scripts in pages of other origins may do at the endpoints of production services (Fetch Standard, section 3.3).
///
/// They may send each request and read each answer, except pages and redirects, which are not meant for scripts, and what is at an
/// address where production allows none. Cookies are not sent along.
enum OtherOrigins {
    /// Where production sends no field for scripts of other origins.
    private static let closed = [
        "appleid.apple.com/", "nid.naver.com/", "openapi.naver.com/", "oauth2.googleapis.com/revoke",
    ]

    private static func mayRead(_ request: EmulatorRequest) -> Bool {
        let address = request.host + request.path
        return !request.isForOwnPages && !closed.contains(where: address.hasPrefix)
    }

    /// The answer to a preflight request, in which a browser asks whether a script may send another one; `nil` for every other
    /// request. Faults and the journal ignore it.
    static func preflightAnswer(to request: EmulatorRequest) -> LoopbackResponse? {
        guard request.method == "OPTIONS", request.header("Origin") != nil,
            let method = request.header("Access-Control-Request-Method")
        else { return nil }
        return mayRead(request)
            ? preflightAnswer(allowing: method, of: "*", request.header) : LoopbackResponse(status: 204)
    }

    /// The answer to a script of an origin that may read the emulator's own pages.
    static func answer(
        to request: LoopbackRequest, of origin: String, _ answer: () async -> LoopbackResponse
    ) async -> LoopbackResponse {
        if request.method == "OPTIONS", let method = request.header("Access-Control-Request-Method") {
            return preflightAnswer(allowing: method, of: origin, request.header)
        }
        var response = await answer()
        response.headers += [("Access-Control-Allow-Origin", origin), ("Vary", "Origin")]
        return response
    }

    private static func preflightAnswer(
        allowing method: String, of origin: String, _ header: (String) -> String?
    ) -> LoopbackResponse {
        var headers = [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Methods", method),
            ("Access-Control-Max-Age", "600"),
            ("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers"),
        ]
        // `*` would not stand for `Authorization`.
        if let names = header("Access-Control-Request-Headers") {
            headers.append(("Access-Control-Allow-Headers", names))
        }
        // A public page asks for an address of this machine (Private Network Access, section 3.1).
        if header("Access-Control-Request-Private-Network") == "true" {
            headers.append(("Access-Control-Allow-Private-Network", "true"))
        }
        return LoopbackResponse(status: 204, headers: headers)
    }

    /// The answer with the fields that let scripts read it, whether one has asked or not: a cache may give it to one.
    static func allow(_ response: LoopbackResponse, to request: EmulatorRequest) -> LoopbackResponse {
        let isPage = response.headers.contains {
            $0.name.lowercased() == "content-type" && $0.value.hasPrefix("text/html")
        }
        guard mayRead(request), !isPage, !(300..<400).contains(response.status) else { return response }
        var response = response
        response.headers += [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "*")]
        return response
    }
}
