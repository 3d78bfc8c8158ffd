import type { DaemonOverhead } from './daemon-overhead.ts';
import type { TypeVariant } from '../../instance-types/offering-overrides.ts';
import type { ResourceRow } from '../../instance-types/resource-rows.ts';

/** An instance type as a pool would launch it. */
export type TypeOption = TypeVariant & {
  readonly daemons: DaemonOverhead;
  /** What is left for pods once the daemons run. */
  readonly available: ResourceRow;
};
