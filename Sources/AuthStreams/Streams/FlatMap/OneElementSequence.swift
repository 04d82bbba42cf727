/// A sequence that always delivers exactly one element.
///
/// It has ended with its element, so delivery and end are one step: a reader that has seen the result of an attempt can tap
/// again.
@usableFromInline
protocol OneElementSequence {}

extension AuthStream: OneElementSequence {}
extension ResultMapSequence: OneElementSequence where Base: OneElementSequence {}
extension ResultFlatMapSequence: OneElementSequence where Base: OneElementSequence {}
