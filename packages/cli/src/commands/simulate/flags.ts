import type { SchedulingFlags } from '../../controller/scheduling-settings.ts';
import type { OutputFormat } from '../../terminal/output.ts';

export type SimulateFlags = SchedulingFlags & {
  readonly file?: readonly string[];
  readonly instanceTypes?: string;
  readonly kubeconfig?: string;
  readonly removeNode?: string;
  readonly saveProblem?: string;
  readonly ignorePreferences: boolean;
  readonly problem?: string;
  readonly out?: string;
  readonly stats?: string;
  readonly output?: OutputFormat;
};
