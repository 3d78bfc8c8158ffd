import { type AdmittedNode, toTimestamp } from '@nodewright/apis';
import { parkTimeOf, printDrainKeeper, resolveRolloutSettings } from '@nodewright/engine';
import type { RolloutOutlook } from '@nodewright/operator';

/** A node that a rollout has let go and that is not gone yet. */
export type AdmittedNodeStanding = { readonly node: string; readonly since: string; readonly standing: string };

/** Nodes that a rollout has let go, and what each waits for. Parked nodes are not among them. */
export const listAdmittedNodes = (
  { snapshot, nodeNames }: RolloutOutlook,
  { metadata }: { readonly metadata: { readonly name: string } },
): readonly AdmittedNodeStanding[] =>
  (snapshot.policy.status?.admitted ?? [])
    .filter(({ rollout }) => rollout === metadata.name)
    .flatMap((move) => {
      const standing = describeLetGo(move, { snapshot, nodeNames });
      return standing === undefined ? [] : [{ node: nodeNames.get(move.node) ?? move.node, since: move.at, standing }];
    });

/** Nothing for a node that is gone. */
function describeLetGo(
  move: AdmittedNode,
  { snapshot: { nodes, policy }, nodeNames }: Pick<RolloutOutlook, 'snapshot' | 'nodeNames'>,
): string | undefined {
  if (move.node === move.object) return 'is updated as a whole';
  const own = nodes.find(({ name }) => name === move.node);
  if (own === undefined) return undefined;
  if (own.blockedBy !== undefined) {
    const parksAt = parkTimeOf(move, resolveRolloutSettings(policy.spec));
    return `cannot be drained: ${printDrainKeeper(own.blockedBy)}; it is parked at ${toTimestamp(parksAt)}`;
  }
  if (own.leaving) return 'is drained';
  const replacement = nodes.find(({ replaces }) => replaces === move.node);
  if (replacement === undefined) return 'waits for its replacement';
  const { launchFailure, initializedAt, name } = replacement;
  const named = nodeNames.get(name) ?? name;
  if (launchFailure !== undefined) return `its replacement ${named} cannot be launched: ${launchFailure.code}`;
  return initializedAt === undefined ? `waits for its replacement ${named}` : `leaves: ${named} replaces it`;
}
