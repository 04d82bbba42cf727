import AuthStreams
import Foundation
import LoopbackHTTP

/// The JSON body of a method, parsed as strictly as Google's front end does: one object, known members, right types.
struct IdentityToolkitBody {
    private let members: [String: AuthJSON]

    /// Members of Google's SDKs that change nothing here: for reCAPTCHA, Android, and links into apps.
    private static let unused: Set = [
        "androidInstallApp", "androidMinimumVersion", "androidMinimumVersionCode", "androidPackageName",
        "captchaChallenge",
        "captchaResp", "captchaResponse", "clientType", "dynamicLinkDomain", "iOSAppStoreId", "iOSBundleId",
        "linkDomain",
        "pendingIdToken", "recaptchaVersion",
    ]

    /// - Parameters:
    ///   - request: The request.
    ///   - known: The members that the method has.
    init(_ request: EmulatorRequest, members known: Set<String>) throws(IdentityToolkitError) {
        let mediaType = request.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard mediaType?.lowercased() == "application/json" else {
            throw .invalidPayload("The content type is not application/json.")
        }
        guard let object = request.json?.object else { throw .invalidPayload("Root element must be a message.") }
        let members = Self.respelled(object)
        if let name = members.keys.filter({ !known.contains($0) && !Self.unused.contains($0) }).min() {
            throw .invalidPayload("Unknown name \"\(name)\": Cannot find field.")
        }
        self.members = members
    }

    /// Returns the members by the first of their two spellings, `idToken` and `id_token`.
    private static func respelled(_ members: [String: AuthJSON]) -> [String: AuthJSON] {
        let pairs = members.sorted { $0.key < $1.key }.map { name, value -> (String, AuthJSON) in
            let words = name.split(separator: "_")
            let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            return (others.isEmpty ? name : words[0] + others.joined(), value)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns a string; `nil` if it is absent, null or empty, which Google treats alike.
    func string(_ name: String) throws(IdentityToolkitError) -> String? {
        switch members[name] {
        case nil, .null, .string(""): return nil
        case .string(let value): return value
        default: throw .invalidPayload("Invalid value at '\(name)' (TYPE_STRING).")
        }
    }

    /// Returns a list of strings; empty if it is absent or null.
    func strings(_ name: String) throws(IdentityToolkitError) -> [String] {
        switch members[name] {
        case nil, .null: return []
        case .array(let elements):
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else {
                throw .invalidPayload("Invalid value at '\(name)' (TYPE_STRING).")
            }
            return texts
        default: throw .invalidPayload("Invalid value at '\(name)' (repeated TYPE_STRING).")
        }
    }

    /// Returns an integer, also one that is written as a string, as Google's front end takes it; `nil` if it is absent or null.
    func integer(_ name: String) throws(IdentityToolkitError) -> Int64? {
        switch members[name] {
        case nil, .null: return nil
        case let value?:
            guard let number = value.lenientInteger else {
                throw .invalidPayload("Invalid value at '\(name)' (TYPE_INT64).")
            }
            return number
        }
    }

    /// Returns a list of objects, parsed as strictly; empty if it is absent or null.
    func objects(_ name: String, members known: Set<String>) throws(IdentityToolkitError) -> [Self] {
        if [nil, .null].contains(members[name]) { return [] }
        guard case .array(let elements)? = members[name] else {
            throw .invalidPayload("Invalid value at '\(name)' (repeated TYPE_MESSAGE).")
        }
        return try elements.map { element throws(IdentityToolkitError) in
            guard let object = try Self(members: [name: element]).object(name, members: known) else {
                throw .invalidPayload("Invalid value at '\(name)' (repeated TYPE_MESSAGE).")
            }
            return object
        }
    }

    /// Returns an object, parsed as strictly; `nil` if it is absent or null.
    func object(_ name: String, members known: Set<String>) throws(IdentityToolkitError) -> Self? {
        switch members[name] {
        case nil, .null: return nil
        case .object(let members):
            let members = Self.respelled(members)
            guard known.isSuperset(of: members.keys) else {
                throw .invalidPayload("Unknown name at '\(name)': Cannot find field.")
            }
            return Self(members: members)
        default: throw .invalidPayload("Invalid value at '\(name)' (TYPE_MESSAGE).")
        }
    }

    private init(members: [String: AuthJSON]) { self.members = members }

    /// Returns whether any of these members is present.
    func has(anyOf names: String...) -> Bool { names.contains { ![nil, .null].contains(members[$0]) } }

    /// Returns a boolean; `false` if it is absent or null, unless another default is given.
    func bool(_ name: String, default absent: Bool = false) throws(IdentityToolkitError) -> Bool {
        switch members[name] {
        case nil, .null: return absent
        case .bool(let value): return value
        default: throw .invalidPayload("Invalid value at '\(name)' (TYPE_BOOL).")
        }
    }
}

/// An error of Identity Toolkit or Secure Token, in Google's envelope.
///
/// The code precedes the first colon of the message, a detail for engineers follows it.
struct IdentityToolkitError: Error {
    var httpStatus = 400
    var message: String
    var reason = "invalid"
    var status: String?
    var details: AuthJSON?

    init(_ code: String, _ detail: String? = nil) {
        message = detail.map { "\(code) : \($0)" } ?? code
    }

    init(httpStatus: Int, message: String, reason: String, status: String) {
        self.httpStatus = httpStatus
        self.message = message
        self.reason = reason
        self.status = status
    }

    /// The error for a missing API key, before the method is read.
    static let missingAPIKey = Self(
        httpStatus: 403, message: "The request is missing a valid API key.", reason: "forbidden",
        status: "PERMISSION_DENIED")

    /// The error for a request of a server without a credential of Google's.
    static let missingCredential = Self(
        httpStatus: 401, message: "Request is missing required authentication credential.", reason: "required",
        status: "UNAUTHENTICATED")

    /// The error for a credential of Google's that is not valid.
    static let invalidCredential = Self(
        httpStatus: 401, message: "Request had invalid authentication credentials.", reason: "authError",
        status: "UNAUTHENTICATED")

    /// The error for an API key of no project.
    static let unknownAPIKey = Self(
        httpStatus: 400, message: "API key not valid. Please pass a valid API key.", reason: "keyInvalid",
        status: "INVALID_ARGUMENT")

    /// The error for a body that is not the method's JSON object.
    static func invalidPayload(_ detail: String) -> Self {
        Self(
            httpStatus: 400, message: "Invalid JSON payload received. \(detail)", reason: "badRequest",
            status: "INVALID_ARGUMENT")
    }

    /// The error for a method of production that is not emulated.
    static let notImplemented = Self(
        httpStatus: 501, message: "NOT_IMPLEMENTED : The emulator does not play this method.", reason: "unimplemented",
        status: "NOT_IMPLEMENTED")

    /// The error for a member that version 2 requires.
    static let invalidArgument = Self(
        httpStatus: 400, message: "Request contains an invalid argument.", reason: "badRequest",
        status: "INVALID_ARGUMENT")

    /// The error in the form of version 2's newer methods: with a status, without a list.
    var responseOfVersion2: LoopbackResponse {
        let error: AuthJSON = [
            "code": .integer(Int64(httpStatus)), "message": .string(message),
            "status": .string(status ?? "INVALID_ARGUMENT"),
        ]
        return .json(["error": error], status: httpStatus)
    }

    var response: LoopbackResponse {
        var error: [String: AuthJSON] = [
            "code": .integer(Int64(httpStatus)), "message": .string(message),
            "errors": [["message": .string(message), "reason": .string(reason), "domain": "global"]],
        ]
        error["status"] = status.map(AuthJSON.string)
        error["details"] = details
        return .json(["error": .object(error)], status: httpStatus)
    }
}
