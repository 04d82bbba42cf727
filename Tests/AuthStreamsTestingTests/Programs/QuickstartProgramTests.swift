#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation
    import TestSupport
    import Testing

    /// Runs the built `quickstart` as a person does.
    @Suite(.limitedParallelization) struct QuickstartProgramTests {
        @Test(arguments: [
            ["--provider"], ["--provider", "line"], ["--jsn"], ["kakao"], ["--backend"], ["--backend", "supabase"],
        ])
        func badArgumentsShowTheUsageAndEndWithTwo(arguments: [String]) async throws {
            let program = try BuiltProgram("quickstart", arguments)
            #expect(await program.status() == 2)
            #expect(program.errors.contains("Usage: quickstart"))
            #expect(program.output.isEmpty)
        }

        @Test func everyLineOfJSONIsAnAttemptAndTheLastIsTheSummary() async throws {
            let program = try BuiltProgram("quickstart", ["--json"])
            #expect(await program.status() == 0)
            let lines = try program.output.split(separator: "\n").map {
                try JSONDecoder().decode(AuthJSON.self, from: Data($0.utf8))
            }
            let attempts = lines.dropLast()
            let passkeys = Signatures.isAvailable ? 1 : 0
            #expect(attempts.count == 9 + passkeys)
            #expect(attempts.allSatisfy { $0["type"] == "attempt" })
            #expect(attempts.prefix(4).map { $0["provider"]?.string } == ["apple", "google", "kakao", "naver"])
            #expect(attempts.prefix(4).allSatisfy { $0["outcome"] == "success" })
            #expect(attempts.prefix(4).allSatisfy { $0["states"] == ["signedOut", "signingIn", "signedIn"] })
            #expect(lines.first { $0["provider"] == "kakao" }?["uid"] == "kakao:1001")
            #expect(attempts.prefix(8).allSatisfy { $0["backend"] == "firebase" })
            #expect(attempts.dropFirst(8).allSatisfy { $0["backend"] == "server" })
            // A password with the code of an authenticator app, and a sign-up in two steps.
            let further = attempts.dropFirst(7)
            #expect(further.prefix(2).map { $0["scenario"]?.string } == ["password", "signUp"])
            #expect(further.allSatisfy { $0["outcome"] == "success" })
            #expect(further.prefix(2).allSatisfy { $0["steps"]?.array?.contains("waitingForAnswer") == true })
            #expect(further.dropFirst(2).allSatisfy { $0["provider"] == "passkey" })
            #expect(lines.last?["type"] == "summary")
            #expect(lines.last?["ok"] == true)
        }

        @Test func theFourProvidersSignInAtAServerOfOnesOwn() async throws {
            let program = try BuiltProgram("quickstart", ["--backend", "server", "--json"])
            #expect(await program.status() == 0)
            let lines = try program.output.split(separator: "\n").map {
                try JSONDecoder().decode(AuthJSON.self, from: Data($0.utf8))
            }
            #expect(lines.count == 9 + (Signatures.isAvailable ? 1 : 0))
            #expect(lines.dropLast().allSatisfy { $0["backend"] == "server" })
            #expect(lines.prefix(4).map { $0["uid"]?.string } == ["user-1", "user-2", "user-3", "user-4"])
            #expect(lines.last?["ok"] == true)
        }

        @Test func theTextSaysWhoseServerItIs() async throws {
            let program = try BuiltProgram("quickstart", ["--backend", "server", "--provider", "naver"])
            #expect(await program.status() == 0)
            #expect(program.output.contains("ServerRepository → your server"))
            #expect(!program.output.contains("Firebase"))
        }

        @Test func helpNamesTheBackends() async throws {
            let program = try BuiltProgram("quickstart", ["--help"])
            #expect(await program.status() == 0)
            #expect(program.output.contains("--backend NAME"))
            #expect(program.output.contains("firebase, server"))
        }

        @Test func oneProviderMayBeNamed() async throws {
            let program = try BuiltProgram("quickstart", ["--provider", "naver"])
            #expect(await program.status() == 0)
            #expect(program.output.contains("Naver"))
            #expect(!program.output.contains("Kakao"))
        }
    }
#endif
