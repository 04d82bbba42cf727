import Foundation
import LoopbackHTTP

/// A request of a script in a page of another origin, to an endpoint that answers such scripts (Fetch Standard, section 3.3).
///
/// Answers may be read by scripts of every origin. Pages and redirects may not, as in production, since nothing there is meant for
/// scripts. Neither may those of a browser's cookies be sent along.
struct OtherOriginScript {
    private let request: EmulatorRequest

    /// - Returns: `nil` if no page of another origin sent it, or production answers no such script at that address.
    init?(_ request: EmulatorRequest) {
        let address = request.host + request.path
        guard request.header("Origin") != nil, !request.isForOwnPages, !Self.closed.contains(where: address.hasPrefix)
        else { return nil }
        self.request = request
    }

    /// Where production sends no field for scripts of other origins.
    private static let closed = [
        "appleid.apple.com/", "nid.naver.com/", "openapi.naver.com/", "oauth2.googleapis.com/revoke",
    ]

    /// The answer to a preflight request, which asks whether another one may be sent; `nil` for every other request. It is not
    /// one of the app, so that no fault and no entry of the journal is made of it.
    var permission: LoopbackResponse? {
        guard request.method == "OPTIONS", let method = request.header("Access-Control-Request-Method") else {
            return nil
        }
        var headers = [
            ("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", method),
            ("Access-Control-Max-Age", "600"),
            ("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers"),
        ]
        // `*` would not stand for `Authorization`.
        if let names = request.header("Access-Control-Request-Headers") {
            headers.append(("Access-Control-Allow-Headers", names))
        }
        // A public page asks for an address of this machine (Private Network Access, section 3.1).
        if request.header("Access-Control-Request-Private-Network") == "true" {
            headers.append(("Access-Control-Allow-Private-Network", "true"))
        }
        return LoopbackResponse(status: 204, headers: headers)
    }

    /// The response with the fields that let the script read it.
    func reading(_ response: LoopbackResponse) -> LoopbackResponse {
        let isPage = response.headers.contains {
            $0.name.lowercased() == "content-type" && $0.value.hasPrefix("text/html")
        }
        guard !isPage, !(300..<400).contains(response.status) else { return response }
        var response = response
        response.headers += [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "*")]
        return response
    }
}
