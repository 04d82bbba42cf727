import AuthStreams
import AuthStreamsTesting

extension FlawedRepository {
    enum Flaw: String, CaseIterable, Sendable {
        case asksTheServerAboutUnknownProviders, deniesItsOwnProvider, neverSignsIn, namesAnotherProvider
        case makesAUserPerSignIn, callsABadCredentialTrouble, neverRefreshes, changesTheProvider
        case claimsThatTokensAreReusable, dropsTheNextRefreshToken, spoilsAccessTokens, callsARevocationTrouble,
            callsADisabledUserExpired
        case callsADeletedUserExpired, failsAtSignOut, signsOutAnotherToken, failsAtDeletion, onlyChecksDeletions
        case adoptsForSomebodyElse, callsAnUnknownTokenTrouble, takesADeadNetworkForANo, takesAFailureForANo
        case takesBusyForANo, takesNonsenseForANo, keepsTheSessionWhenOffline, keepsTheFirstRefresh, retriesOnce
        case sendsTheTokenElsewhere, ignoresCancellation, quotesTheServer
        case linksNothing, linksInTheAppAlone, keepsAConflictToItself, unlinksNothing, spoilsTokensAtALink
        case takesATokenForACredential
        case provesAnotherUser, spoilsTokensAtAProof, believesAnybody, callsAnOldSignInARefusal
        case reloadsFromMemory, reloadsDisabledUsers, reloadsDeletedUsers, keepsWhatIsRemoved
        case namesNoGuest, hasOneGuest, makesAnotherUserOfAGuest
        case forgetsWhoAnswers, remembersAnAnswer, keepsTheOldChallenge
        case signsOutHereAlone, onlyNotesRevocations, callsAStrangersRevocationTrouble, triesWhatItCannot

        /// The promise that it breaks.
        var promise: String {
            switch self {
            case .asksTheServerAboutUnknownProviders: "a provider without a route is refused before any request"
            case .deniesItsOwnProvider: "it accepts the provider that it signs in with"
            case .neverSignsIn: "a good credential makes a session"
            case .namesAnotherProvider: "a session names its provider and its user, and has an access token"
            case .makesAUserPerSignIn: "the same person is the same user at the next sign-in"
            case .callsABadCredentialTrouble: "a bad credential is refused with invalidCredential"
            case .neverRefreshes: "a session can be refreshed"
            case .changesTheProvider: "a refresh keeps user and provider"
            case .claimsThatTokensAreReusable: "a second use of a refresh token is accepted as the rule says"
            case .dropsTheNextRefreshToken: "a refreshed session can be refreshed again"
            case .spoilsAccessTokens: "the server takes the access token of a sign-in and of a refresh"
            case .callsARevocationTrouble: "after a revocation a refresh ends with sessionExpired"
            case .callsADisabledUserExpired: "after disabling the user a refresh ends with userDisabled"
            case .callsADeletedUserExpired: "after deleting the user a refresh ends with userNotFound"
            case .failsAtSignOut: "signing out succeeds"
            case .signsOutAnotherToken: "after a sign-out the server refuses the refresh token"
            case .failsAtDeletion: "deleting the account succeeds"
            case .onlyChecksDeletions: "after a deletion a refresh ends with a terminal rejection"
            case .adoptsForSomebodyElse:
                "an adoptable session is adopted, or refused before any request"
            case .callsAnUnknownTokenTrouble: "a refresh token that the server does not know gets a terminal rejection"
            case .takesADeadNetworkForANo: "a dead network ends no session"
            case .takesAFailureForANo: "a server that fails ends no session"
            case .takesBusyForANo: "a server that asks to wait ends no session"
            case .takesNonsenseForANo: "an answer that cannot be read ends no session"
            case .keepsTheSessionWhenOffline: "nothing succeeds without a response of the server"
            case .keepsTheFirstRefresh: "every sign-in and every refresh asks the server"
            case .retriesOnce: "nothing is sent twice in one call"
            case .sendsTheTokenElsewhere: "a refresh token is sent once in one call"
            case .ignoresCancellation: "a cancelled task ends each call with cancelled"
            case .quotesTheServer: "an error tells no credential and no token"
            case .reloadsFromMemory: "a reload returns the user as the server has them"
            case .reloadsDisabledUsers: "a reload says that the user was disabled"
            case .reloadsDeletedUsers: "a reload says that the user was deleted"
            case .keepsWhatIsRemoved: "a profile change is the server's, and leaves the rest as it is"
            case .linksNothing: "linking adds an identity to the user"
            case .linksInTheAppAlone: "a linked identity is a way in to the same user"
            case .keepsAConflictToItself:
                "another user's identity is refused with credentialInUse, which carries the conflict"
            case .unlinksNothing: "unlinking takes the identity away"
            case .spoilsTokensAtALink: "a session continues after a change of its identities"
            case .takesATokenForACredential: "a refused access token is told from a refused credential"
            case .provesAnotherUser: "re-authenticating keeps the user"
            case .spoilsTokensAtAProof: "a session continues after a re-authentication"
            case .believesAnybody: "another user's credential does not re-authenticate"
            case .callsAnOldSignInARefusal: "deleting after an old sign-in takes a re-authentication"
            case .namesNoGuest: "an anonymous sign-in makes a user without an identity"
            case .hasOneGuest: "each anonymous sign-in is another user"
            case .makesAnotherUserOfAGuest:
                "an anonymous user with an identity is a lasting one and keeps the identifier"
            case .forgetsWhoAnswers: "the answer to a challenge makes a session"
            case .remembersAnAnswer: "an answer to a challenge counts once"
            case .keepsTheOldChallenge: "after a wrong answer the challenge of the error counts"
            case .signsOutHereAlone: "signing out everywhere ends the user's other sessions"
            case .onlyNotesRevocations: "revoking ends what the provider lets the app do"
            case .callsAStrangersRevocationTrouble: "revoking another person's access is refused"
            case .triesWhatItCannot: "what it cannot do is refused before any request"
            }
        }
    }

    static func contract(
        _ flaw: Flaw?, givesRefreshTokens: ContractCapability<Void> = .can(())
    ) -> AuthRepositoryContract {
        let hang = Hang()
        var contract = AuthRepositoryContract {
            let server = SampleServer()
            return .init(
                network: .can(server), repository: { FlawedRepository(flaw, over: $0, hang: hang.ofThisCheck) },
                credential: { server.newCredential() },
                badCredential: .can { Credential(provider: "sample", accessToken: Secret("made up")) },
                unroutedProvider: .can("another"),
                console: .init(
                    revoke: .can { server.revoke($0.id) }, disable: .can { server.disable($0.id) },
                    delete: .can { server.delete($0.id) }, takesAccessToken: .can { server.takes($0) },
                    givesRefreshTokens: givesRefreshTokens, endsSessionsAtSignOut: .can(()), adopts: .can(())),
                changes: .init(
                    reloading: .can { server.rename($0.id, to: $1) }, profile: .can(()),
                    linking: .can { server.newCredential(at: "second") }, reauthentication: .can(()),
                    strangers: .can { server.newCredential(of: "tom") }, aging: .can { server.age() },
                    anonymousUsers: .can(()),
                    signingOutEverywhere: flaw == .triesWhatItCannot ? .cannot("they say") : .can(()),
                    revocation: .can { server.grants($0.userID) }),
                challenges: .can(
                    .init(
                        credential: { server.askingCredential() }, answer: { _ in .code(Secret("123456")) },
                        wrongAnswer: .can { _ in .code(Secret("000000")) })))
        }
        contract.hangDetection = hang.detection
        return contract
    }
}
