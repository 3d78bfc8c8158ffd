import { days, type Instant } from '@nodewright/apis';
import type { EksCluster } from './cluster.ts';

const withinMs = days(7);

/** The minor a cluster may still go back to: for seven days after its upgrade from there. */
export const rollbackTarget = ({ upgraded }: EksCluster, now: Instant): string | undefined =>
  upgraded !== undefined && now <= upgraded.at + withinMs ? upgraded.from : undefined;
