/**
 * Facts about objects that are not in their members: that they passed a check, what they were made from.
 *
 * Guarantees: an object that nothing else holds is forgotten with its note. A copy of an object has no note.
 *
 * Assumptions: those of `oncePerObject`. A note stays true for as long as its object does not change.
 *
 * @see docs/adr/0007-identity-is-the-version.md
 */
export class ObjectNotes<Source extends object, Note> {
  readonly #notes = new WeakMap<Source, Note>();

  of(source: Source): Note | undefined {
    return this.#notes.get(source);
  }

  /** Replaces the note that the object has. */
  write(source: Source, note: Note): void {
    this.#notes.set(source, note);
  }
}
