extension AuthError {
    /// What a code of a provider, a server or a system means: the code of an error, and the problem and its remedy.
    package typealias Meaning = (code: Code, explanation: String)
}
