/** Work that comes to nothing: who does it to what, and how much of it there was. */
export type Churn = { readonly message: string; readonly fields: Readonly<Record<string, unknown>> };
