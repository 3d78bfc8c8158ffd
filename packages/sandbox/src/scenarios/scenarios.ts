import { managedNodeGroup } from './managed-node-group.ts';
import { managingAmis } from './managing-amis.ts';
import { nativeAmiVersioning } from './native-ami-versioning.ts';
import type { Scenario } from './scenario.ts';
import { upgradeNodesWithDrift } from './upgrade-nodes-with-drift.ts';

/** Every situation a sandbox can start from, by name. */
export const scenarios: readonly Scenario[] = [
  managedNodeGroup,
  managingAmis,
  nativeAmiVersioning,
  upgradeNodesWithDrift,
];
