import AuthStreams
import Foundation

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
        guard let members = request.json?.object else { throw .invalidPayload("Root element must be a message.") }
        if let name = members.keys.filter({ !known.contains($0) && !Self.unused.contains($0) }).min() {
            throw .invalidPayload("Unknown name \"\(name)\": Cannot find field.")
        }
        self.members = members
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

    /// Returns an object, parsed as strictly; `nil` if it is absent or null.
    func object(_ name: String, members known: Set<String>) throws(IdentityToolkitError) -> Self? {
        switch members[name] {
        case nil, .null: return nil
        case .object(let members):
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
