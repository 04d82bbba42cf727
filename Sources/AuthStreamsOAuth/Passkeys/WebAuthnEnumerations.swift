// The enumerations of WebAuthn Level 3. Members of its JSON that hold one are texts, and a value that is not known counts as
// absent (section 2.1.1).

/// Whether the person is to be verified, such as by a fingerprint (section 5.8.6).
package enum UserVerificationRequirement: String, Hashable, Sendable {
    case required
    case preferred
    case discouraged
}

/// Whether the authenticator is to store the passkey so that it is found without its identifier (section 5.4.6).
package enum ResidentKeyRequirement: String, Hashable, Sendable {
    case required
    case preferred
    case discouraged
}

/// How an authenticator is attached to the device (section 5.4.5).
package enum AuthenticatorAttachment: String, Hashable, Sendable {
    /// The device's own authenticator.
    case platform
    /// Another device, such as a security key.
    case crossPlatform = "cross-platform"
}

/// Which statement about the authenticator the server wants (section 5.4.7).
package enum AttestationConveyancePreference: String, Hashable, Sendable {
    case none
    case indirect
    case direct
    case enterprise
}

/// Which kind of authenticator the server expects the person to use (section 5.8.8).
package enum PublicKeyCredentialHint: String, Hashable, Sendable {
    case securityKey = "security-key"
    case clientDevice = "client-device"
    case hybrid
}

/// A way to reach an authenticator (section 5.8.4). Servers also store ways that are not known.
package struct AuthenticatorTransport: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let usb = Self(rawValue: "usb")
    package static let nfc = Self(rawValue: "nfc")
    package static let ble = Self(rawValue: "ble")
    package static let smartCard = Self(rawValue: "smart-card")
    /// A phone, by its camera and Bluetooth.
    package static let hybrid = Self(rawValue: "hybrid")
    /// The device itself.
    package static let `internal` = Self(rawValue: "internal")

    /// Whether Level 3 names this way.
    var isKnown: Bool { [.usb, .nfc, .ble, .smartCard, .hybrid, .internal].contains(self) }
}
