import type { OutputFormat } from '../../terminal/output.ts';

export type ManifestsFlags = { readonly values?: string; readonly output?: OutputFormat };
