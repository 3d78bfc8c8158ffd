/** What the model of a service says of one type: a text, a number, a list or a map. */
export type TypeConstraints = {
  /** The least length of a text, list or map, or the least value of a number. */
  readonly min?: number;
  readonly max?: number;
  /** A regular expression for the whole text. */
  readonly pattern?: string;
  /** The flags of the pattern [u]. */
  readonly flags?: string;
  /** The values of an enumeration. */
  readonly values?: readonly string[];
  /** The type of the items of a list, or of the values of a map. */
  readonly of?: string;
  /** The type of the keys of a map. */
  readonly key?: string;
};

/** The constraints of the requests of a service. A member is described by its type, after `!` where it is required. */
export type ConstraintTable = {
  readonly structures: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly types: Readonly<Record<string, TypeConstraints>>;
};

export const readConstraintTable = (json: string): ConstraintTable => JSON.parse(json) as ConstraintTable;
