type ModelShape = {
  readonly members?: Readonly<Record<string, unknown>>;
  readonly enum?: readonly string[];
};

type ConstraintTable = {
  readonly structures: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly types: Readonly<Record<string, { readonly values?: readonly string[] }>>;
};

export function listModelLosses(
  model: { readonly shapes: Readonly<Record<string, ModelShape>> },
  table: ConstraintTable,
): readonly string[];
