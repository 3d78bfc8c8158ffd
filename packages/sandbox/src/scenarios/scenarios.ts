import { managedNodeGroup } from './managed-node-group.ts';
import type { Scenario } from './scenario.ts';

/** Every situation a sandbox can start from, by name. */
export const scenarios: readonly Scenario[] = [managedNodeGroup];
