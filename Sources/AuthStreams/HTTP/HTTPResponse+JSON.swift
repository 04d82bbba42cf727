import Foundation

extension HTTPResponse {
    /// The body as a JSON object; `nil` for any other body, such as a proxy's page.
    package var jsonObject: [String: JSONValue]? {
        JSONValue(json: body)?.object
    }
}
