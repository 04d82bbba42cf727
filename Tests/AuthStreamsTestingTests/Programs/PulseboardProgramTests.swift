#if os(macOS) || os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Runs the built `pulseboard` as a person does.
    @Suite(.limitedParallelization) struct PulseboardProgramTests {
        private let login = "── Log in   1 Apple  2 Google  3 Kakao  4 Naver  l follow a link  q quit"
        private let home = "── Home of 김민지   l follow a link  o sign out  d delete the account  q quit"
        private let choice = "y agree  n refuse  c cancel  l follow a link"

        @Test func tourShowsEveryScreenAndToast() async throws {
            let program = try BuiltProgram("pulseboard", ["--script", "--language", "en"])
            #expect(await program.status() == 0)
            #expect(
                program.output == """
                    ── PulseBoard
                    \(login)
                    > 3  Kakao
                       ask    Kakao   \(choice)
                    > l  follow a link
                              pulseboard://posts/7 waits for the home screen
                    > y  agree
                    \(home)
                       link   pulseboard://posts/7
                    > o  sign out
                    \(login)
                    > 2  Google
                       ask    Google   \(choice)
                    > n  refuse
                       toast  Google sign-in failed. Access was not allowed.
                    > 1  Apple
                       ask    Apple   \(choice)
                    > c  cancel
                    > 4  Naver
                       ask    Naver   \(choice)
                    > 4  Naver
                    > 4  Naver
                    > y  agree
                    \(home)
                    > l  follow a link
                       link   pulseboard://posts/7
                    > d  delete the account
                       ask    Naver   \(choice)
                    > y  agree
                       ask    Naver   \(choice)
                    > y  agree
                    \(login)
                    > q  quit

                    """)
            #expect(program.errors == "")
        }

        @Test func toastsAreKoreanIfAskedFor() async throws {
            let program = try BuiltProgram("pulseboard", ["--script", "2nq", "--language", "ko"])
            #expect(await program.status() == 0)
            #expect(program.output.contains("   toast  구글 로그인에 실패했습니다. 권한이 허용되지 않았습니다.\n"))
        }

        @Test(arguments: [["--script", "x"], ["--language"], ["--language", "fr"], ["--skript"]])
        func badArgumentsShowTheUsageAndEndWithTwo(arguments: [String]) async throws {
            let program = try BuiltProgram("pulseboard", arguments)
            #expect(await program.status() == 2)
            #expect(program.errors.contains("Usage: pulseboard"))
            #expect(program.output.isEmpty)
        }

        @Test func withoutATerminalItSaysWhatToDo() async throws {
            let pulseboard = try BuiltProgram.executable("pulseboard").path()
            let program = try BuiltProgram(
                URL(filePath: "/bin/sh"), ["-c", #"exec "$0" < /dev/null"#, pulseboard])
            #expect(await program.status() == 2)
            #expect(program.errors.contains("Run pulseboard with --script."))
        }

        @Test func helpNamesTheKeys() async throws {
            let program = try BuiltProgram("pulseboard", ["--help"])
            #expect(await program.status() == 0)
            #expect(program.output.contains("3 Kakao"))
        }
    }
#endif
