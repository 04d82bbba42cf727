// What is given away to another isolation is found after the types are right.
final class Box { var value = 0 }
@MainActor var kept: Box?

actor Owner {
    var box = Box()

    func leak() async {
        let leaked = box
        await MainActor.run { kept = leaked }  // found: all
    }
}
