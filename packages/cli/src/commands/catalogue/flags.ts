export type CatalogueImportFlags = {
  readonly types?: readonly string[];
  readonly offerings?: readonly string[];
  readonly prices?: readonly string[];
  readonly region: string;
  readonly write?: string;
};
