extension Options {
    /// - Throws: What is wrong with the words.
    init(_ words: ArraySlice<String>, for suite: Suite) throws(Complaint) {
        var rest = words
        while let word = rest.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--smoke": rounds.isSmoke = true
            case "--rounds":
                rounds.count = try rest.popNumber(from: Rounds.minimum, to: 1000, for: word)
            case "--readers":
                readers = [try rest.popNumber(from: 1, to: Self.mostReaders, for: word)]
                while rest.first.map({ !$0.hasPrefix("-") }) ?? false {
                    readers.append(try rest.popNumber(from: 1, to: Self.mostReaders, for: word))
                }
            case "--only":
                while let row = rest.first, !row.hasPrefix("-") {
                    only.append(row)
                    rest.removeFirst()
                }
                guard !only.isEmpty else { throw Complaint("--only needs the name of a row.") }
            default: throw Complaint("'\(word)' is not an option.")
            }
        }
        try checkRows(of: suite)
    }

    private func checkRows(of suite: Suite) throws(Complaint) {
        let ids = suite.measures(self).flatMap(\.ids)
        for row in only where !ids.contains(where: { Options.begins($0, with: row) }) {
            throw Complaint("There is no row '\(row)'. The rows are: \(ids.joined(separator: ", ")).")
        }
    }
}

extension ArraySlice<String> {
    /// Takes the number that an option needs.
    mutating func popNumber(from smallest: Int, to largest: Int, for option: String) throws(Complaint) -> Int {
        guard let word = popFirst(), let number = Int(word), (smallest...largest).contains(number) else {
            throw Complaint("\(option) needs a number from \(smallest) to \(largest).")
        }
        return number
    }
}
