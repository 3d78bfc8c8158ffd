import type { OutputFormat } from '../../terminal/output.ts';

export type TestFlags = {
  readonly seeds?: number;
  readonly seed?: number;
  readonly filter?: string;
  readonly parallel?: number;
  readonly failFast: boolean;
  readonly junit?: string;
  readonly keep?: string;
  readonly open?: string;
  readonly watch: boolean;
  readonly output?: OutputFormat;
};

export type IncidentFlags = TestFlags & { readonly manifests?: string };
