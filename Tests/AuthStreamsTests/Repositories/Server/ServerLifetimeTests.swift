import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// How long an access token is valid, as servers say it.
@Suite struct ServerLifetimeTests {
    private typealias Fixture = ServerFixture

    /// The session of a sign-in and the one after its refresh, answered alike.
    private func sessions(
        _ members: String, token: String = "at", date: String? = nil
    ) async throws -> [AuthSession] {
        let headers: [HeaderName: String] = date.map { [.date: $0] } ?? [:]
        let answers = [
            AuthHTTPResponse.json(
                #"{"accessToken":"\#(token)","refreshToken":"rt","user":{"id":"u1"},\#(members)}"#, headers: headers),
            .json(#"{"accessToken":"\#(token)",\#(members)}"#, headers: headers),
        ]
        let repository = Fixture.repository(AnsweringTransport(answers))
        let first = try await repository.signIn(with: Fixture.credential)
        return [first, try await repository.refresh(first)]
    }

    private func token(_ claims: AuthJSON) throws -> String {
        "e30.\(Base64URL.encode(try JSONEncoder().encode(claims)))."
    }

    @Test func whereNothingIsSaidTheTokenSaysIt() async throws {
        let rows: [(AuthJSON, TimeInterval?)] = [
            // A difference, since clocks may be wrong.
            (["iat": 1_000_000_000, "exp": 1_000_000_900], 900),
            (["iat": .number(1_000_000_000.5), "exp": "1000000900"], 899.5),
            (["iat": 1_000_000_900, "exp": 1_000_000_000], nil), (["exp": 1_800_000_060], nil), ([:], nil),
        ]
        for (claims, seconds) in rows {
            for session in try await sessions(#""more":1"#, token: try token(claims)) {
                #expect(session.expiresAt == seconds.map { Fixture.now.addingTimeInterval($0) }, "\(claims)")
            }
        }
        let opaque = try await sessions(#""more":1"#)
        #expect(opaque.allSatisfy { $0.expiresAt == nil })
    }

    /// Without the time of issue, the server's own clock counts.
    @Test func aTokenWithItsEndAloneIsReadByTheDateOfTheAnswer() async throws {
        let end = Fixture.now.addingTimeInterval(-86_400 + 60)
        let token = try token(["exp": .integer(Int64(end.timeIntervalSince1970))])
        for session in try await sessions(#""more":1"#, token: token, date: "Thu, 14 Jan 2027 08:00:00 GMT") {
            #expect(session.expiresAt == Fixture.now.addingTimeInterval(60))
        }
    }

    /// 1 800 000 000 is 2027-01-15T08:00:00Z.
    @Test(
        arguments: [
            (#""2027-01-15T08:10:00Z""#, 600), (#""2027-01-15T08:10:00.500Z""#, 600.5),
            (#""2027-01-15T17:10:00+09:00""#, 600), (#""2027-01-15T17:10:00.123456789+0900""#, 600.123456789),
            (#""2027-01-15T17:10+09:00[Asia/Seoul]""#, 600), (#""2027-01-15 08:10:00z""#, 600),
            (#""2027-01-15T03:10:00-05""#, 600), ("1800000600", 600), ("1800000600.25", 600.25),
            ("1800000600250", 600.25),
            (#""1800000600""#, 600), (#""1800000600250""#, 600.25), (#""2027-01-15T07:00:00Z""#, 0),
            // What is no moment is not guessed: a refresh follows soon.
            (#""2027-01-15T08:10:00""#, 300), (#""tomorrow""#, 300), (#""2027-13-45T99:10:00Z""#, 300), ("3600", 300),
            ("[2027,1,15,8,10]", 300), ("true", 300), ("{}", 300), (#""nan""#, 300), ("1e300", 300),
        ] as [(String, TimeInterval)])
    func aDateIsReadInEachForm(value: String, seconds: TimeInterval) async throws {
        for session in try await sessions(#""expiresAt":\#(value)"#) {
            let rest = try #require(session.expiresAt).timeIntervalSince(Fixture.now)
            #expect(abs(rest - seconds) < 0.001, "\(rest)")
        }
    }

    @Test func aDateCountsFromTheServersOwnClock() async throws {
        // The device's clock is a day behind.
        let date = "Sat, 16 Jan 2027 08:00:00 GMT"
        for session in try await sessions(#""expiresAt":"2027-01-16T08:10:00Z""#, date: date) {
            #expect(session.expiresAt == Fixture.now.addingTimeInterval(600))
        }
    }

    @Test func aDurationHasPrecedenceAndAnUnreadableOneHasNot() async throws {
        for session in try await sessions(#""expiresIn":"60","expiresAt":"2027-01-15T08:10:00Z""#) {
            #expect(session.expiresAt == Fixture.now.addingTimeInterval(60))
        }
        for session in try await sessions(#""expiresIn":"soon","expiresAt":"2027-01-15T08:10:00Z""#) {
            #expect(session.expiresAt == Fixture.now.addingTimeInterval(600))
        }
    }

    @Test func theDateMayBeInAnyMember() async throws {
        var contract = ServerContract()
        contract.session.expiresAt = "token.until"
        let answer = AuthHTTPResponse.json(#"{"accessToken":"at","user":{"id":"u1"},"token":{"until":1800000060}}"#)
        let session = try await Fixture.repository(AnsweringTransport([answer]), contract)
            .signIn(with: Fixture.credential)
        #expect(session.expiresAt == Fixture.now.addingTimeInterval(60))
    }
}
