import type { WarmPoolConfiguration } from '@aws-sdk/client-auto-scaling';
import type { WarmPool } from '../group/group.ts';

export const warmPoolOnTheWire = ({ min, prepared, state, reuse }: WarmPool): WarmPoolConfiguration => ({
  MinSize: min,
  PoolState: state,
  InstanceReusePolicy: { ReuseOnScaleIn: reuse },
  ...(prepared !== undefined && { MaxGroupPreparedCapacity: prepared }),
});
