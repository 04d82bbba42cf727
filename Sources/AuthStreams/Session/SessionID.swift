/// The name of a session: 128 bits, which every refresh and change of the session keeps.
package struct SessionID: RawRepresentable, Hashable, Codable, Sendable {
    /// 32 hexadecimal digits.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    private init(_ bytes: some Collection<UInt8>) { rawValue = SHA256.hex(bytes.prefix(16)) }

    /// The name of a new sign-in.
    static func random() -> Self { Self((0..<16).map { _ in UInt8.random(in: .min ... .max) }) }

    /// The name of an adoptable session: the same in every process that adopts it.
    package init(adopting adoptable: AdoptableSession) { self.init(SHA256.hash(adoptable.refreshToken.reveal().utf8)) }
}
