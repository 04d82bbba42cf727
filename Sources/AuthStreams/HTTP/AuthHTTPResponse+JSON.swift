import Foundation

extension AuthHTTPResponse {
    /// The body as a JSON object; `nil` for any other body, such as a proxy's page.
    package var jsonObject: [String: AuthJSON]? {
        AuthJSON(json: body)?.object
    }
}
