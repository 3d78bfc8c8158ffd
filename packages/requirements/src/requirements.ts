/**
 * What one label may be. `complement: false` means one of `values` (none: the label must not
 * exist); `complement: true` means anything but `values`, inside the inclusive bounds.
 */
export type Requirement = {
  readonly key: string;
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The label must exist, although a node without it would meet the conditions on its values. */
  readonly defined?: true;
  readonly minValues?: number;
};

/** At most one requirement per label key; an absent key allows anything. */
export type Requirements = ReadonlyMap<string, Requirement>;
