import AuthStreams
import Testing

@Suite struct ServerMessageTests {
    @Test(
        arguments: [
            ("Not allowed.", "Not allowed."), ("  a\u{0}b\r\nc\u{202E} ", "a b  c"), ("", nil), (" \n", nil),
            (nil, nil),
            ("code secret-1 of secret-1-long", "code … of …"), ("No eyJhbGciOiJub25lIn0.x", "No eyJhbGciOiJub25lIn0.x"),
            ("No eyJhbGciOiJub25lIn0e.x", "No ….x"), ("차단된 사용자입니다", "차단된 사용자입니다"),
        ] as [(String?, String?)])
    func messageIsShownWithoutSecrets(message: String?, shown: String?) {
        let sent = [Secret("secret-1"), Secret(""), Secret("secret-1-long")]
        #expect(ServerMessage.shown(message, hiding: sent) == shown)
    }

    @Test func messageIsShort() {
        let message = String(repeating: "Too long. ", count: 100)
        #expect(ServerMessage.shown(message)?.count == 200 - 1, "The last character is a space.")
    }
}
