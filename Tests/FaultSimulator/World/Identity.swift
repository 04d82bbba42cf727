import AuthStreams
import Foundation

/// A person's account at a provider. Persons are counted from zero, and each has one at either provider.
struct Identity: Hashable, Sendable {
    let provider: ProviderID
    let person: Int

    init(_ person: Int, at provider: ProviderID = .kakao) {
        self.provider = provider
        self.person = person
    }

    /// The ID token that proves it, such as `I0.1`.
    var idToken: Secret { Secret("I\(person).\(provider == .kakao ? 0 : 1)") }

    /// Finds the one that a request proves.
    init?(provenIn body: Data) {
        guard let range = body.range(of: Data(#""idToken":"I"#.utf8)), range.upperBound + 2 < body.endIndex else {
            return nil
        }
        // Either is of one digit.
        self.init(Int(body[range.upperBound]) - 0x30, at: body[range.upperBound + 2] == 0x30 ? .kakao : .google)
    }
}

extension Identity: CustomStringConvertible {
    var description: String { "\(provider) \(person)" }
}
