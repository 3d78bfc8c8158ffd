import type { ManagedGroupPort, ScalingGroupPort } from '@nodewright/ports';
import type { Clock, KubernetesClient } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';

export type NodeGroupDeps = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly managedGroups: ManagedGroupPort;
  readonly scalingGroups: ScalingGroupPort;
};
