import AuthStreams
import Foundation

/// The query of a URL that an app was opened with. A parameter may occur only once.
struct AppQuery {
    private let fields: [String: String]
    private let app: String

    init(_ url: URL, app: String) throws(AppRequestError) {
        let query = url.query(percentEncoded: true) ?? ""
        guard let decoded = FormCoding.decode(query) else {
            throw AppRequestError(explanation: "\(app): the query has a broken percent escape.")
        }
        var fields: [String: String] = [:]
        for field in decoded where fields.updateValue(field.value, forKey: field.name) != nil {
            throw AppRequestError(explanation: "\(app): `\(field.name)` is there more than once.")
        }
        self.fields = fields
        self.app = app
    }

    /// Returns whether a parameter is present.
    func has(_ name: String) -> Bool { fields[name] != nil }

    /// Returns the value of a parameter that must be present and not empty.
    func required(_ name: String) throws(AppRequestError) -> String {
        guard let value = fields[name], !value.isEmpty else {
            throw AppRequestError(explanation: "\(app): `\(name)` is missing.")
        }
        return value
    }

    /// Throws unless the parameter has one of the values.
    func require(_ name: String, _ expected: String...) throws(AppRequestError) {
        let value = try required(name)
        guard expected.contains(value) else {
            throw AppRequestError(explanation: "\(app): `\(name)` has to be \(expected.joined(separator: " or ")).")
        }
    }

    /// Returns the JSON object in a parameter.
    func object(_ name: String) throws(AppRequestError) -> [String: AuthJSON] {
        let text = try required(name)
        guard let object = AuthJSON(json: Data(text.utf8))?.object else {
            throw AppRequestError(explanation: "\(app): `\(name)` is no JSON object.")
        }
        return object
    }
}
