import Foundation

/// The identifier of an issuer with many tenants: with `{tenantid}` in place of the tenant, as in Microsoft Entra's
/// metadata.
///
/// Each tenant is an issuer of its own: an ID token names it in `iss`, and the tenant alone in `tid`.
struct TenantTemplate {
    private static let placeholder = "{tenantid}"
    /// The segments of the path that stand for any tenant in Entra's URLs.
    private static let aliases: Set = ["common", "organizations"]

    /// What is before and after the tenant.
    private let parts: (prefix: String, suffix: String)

    /// `nil` unless exactly one segment of the identifier's path is `{tenantid}`.
    init?(_ identifier: String) {
        self.init(identifier, replacing: [Self.placeholder])
        guard !(parts.prefix + parts.suffix).contains(Self.placeholder) else { return nil }
    }

    /// The template of an identifier that a configuration names, such as
    /// `https://login.microsoftonline.com/common/v2.0`;
    /// `nil` unless exactly one segment of its path stands for any tenant.
    init?(ofAnyTenantAt identifier: String) {
        self.init(identifier, replacing: Self.aliases)
    }

    private init?(_ identifier: String, replacing names: Set<String>) {
        let segments = identifier.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // Scheme, an empty segment and the host come first.
        let places = segments.indices.dropFirst(3).filter { names.contains(segments[$0]) }
        guard places.count == 1, let place = places.first else { return nil }
        parts = (
            segments[..<place].map { "\($0)/" }.joined(), segments[(place + 1)...].map { "/\($0)" }.joined()
        )
    }

    /// Returns the identifier of a tenant; `nil` unless the tenant is a UUID.
    func identifier(of tenant: String?) -> String? {
        guard let tenant, Self.isUUID(tenant) else { return nil }
        return "\(parts.prefix)\(tenant)\(parts.suffix)"
    }

    /// Returns whether an identifier is that of a tenant.
    func includes(_ identifier: String) -> Bool { tenant(in: identifier).map(Self.isUUID) ?? false }

    /// Returns whether an identifier stands for any tenant.
    func isAnyTenant(_ identifier: String) -> Bool { tenant(in: identifier).map(Self.aliases.contains) ?? false }

    private func tenant(in identifier: String) -> String? {
        let count = identifier.count - parts.prefix.count - parts.suffix.count
        guard count > 0, identifier.hasPrefix(parts.prefix), identifier.hasSuffix(parts.suffix) else { return nil }
        return String(identifier.dropFirst(parts.prefix.count).prefix(count))
    }

    private static func isUUID(_ text: String) -> Bool { text.utf8.count == 36 && UUID(uuidString: text) != nil }
}
