import type { Node, NodeClaim } from '@nodewright/apis';
import { isManagedNodeClass } from '../../state/managed.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';

/** A claim whose instance something happens to, with its node when there is one. */
export type Victim = { readonly claim: NodeClaim; readonly node?: Node };

/** Whose the instances are. Instances of other clusters are left out: a queue tells of all instances of the account. */
export const victimsOf = ({ nodeClaims, nodes }: Objects, instanceIds: readonly string[]): readonly Victim[] =>
  instanceIds
    .flatMap((id) => nodeClaims.by('instanceId', id))
    .filter(({ spec }) => isManagedNodeClass(spec.nodeClassRef))
    .map((claim) => {
      const node = findNodeOfClaim({ nodes }, claim);
      return node === undefined ? { claim } : { claim, node };
    });
