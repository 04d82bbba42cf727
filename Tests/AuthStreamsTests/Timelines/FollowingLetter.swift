/// The next letter.
func following(_ character: Character) -> Character {
    character.unicodeScalars.first.flatMap { Unicode.Scalar($0.value + 1) }.map(Character.init) ?? "?"
}
