/** The package is being laid out. */
export type Placeholder = never;
