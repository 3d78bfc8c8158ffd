/** A text that is not a value of its grammar. The message names the text and says what would be right. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
  /** What was given. */
  readonly value: unknown;

  constructor(value: unknown, expected: string) {
    super(`${JSON.stringify(value) ?? String(value)} is not ${expected}`);
    this.value = value;
  }
}
