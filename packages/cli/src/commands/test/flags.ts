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
  /** How many random histories are played in the place of the steps. */
  readonly fuzz?: number;
  readonly wire: boolean;
  readonly controller?: string;
  readonly speed?: number;
  readonly watch: boolean;
  readonly output?: OutputFormat;
};

export type IncidentFlags = Omit<TestFlags, 'fuzz'> & { readonly manifests?: string };
