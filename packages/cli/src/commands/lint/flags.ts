import type { LintSeverity } from '@nodewright/lint';
import type { OutputFormat } from '../../terminal/output.ts';

export type LintFlags = {
  readonly file?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly at?: number;
  readonly failOn: LintSeverity;
  readonly rules: boolean;
  readonly output?: OutputFormat;
};
