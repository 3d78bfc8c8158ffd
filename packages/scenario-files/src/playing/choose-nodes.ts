import { byTextOf, karpenterLabels, kubernetesLabels, type Node } from '@nodewright/apis';
import type { Random } from '@nodewright/runtime';
import type { NodeChoice } from '../reading/scenario-file.ts';
import { instanceIdIn } from '../world/launched-instances.ts';
import { collectionNames } from '../world/observed-cluster.ts';
import type { TestedWorld } from '../world/tested-world.ts';

/** A node that a step is about. */
export type ChosenNode = { readonly name: string; readonly instanceId: string };

export type ChosenNodes =
  | { readonly kind: 'chosen'; readonly nodes: readonly ChosenNode[] }
  | { readonly kind: 'tooFew'; readonly message: string };

/** Nodes that fit the choice; where fewer are asked for than fit, chance decides. */
export function chooseNodes(
  world: TestedWorld,
  { count, name, pool, zone, release }: NodeChoice,
  { random, onlySpot = false }: { readonly random: Random; readonly onlySpot?: boolean },
): ChosenNodes {
  const fitting = world.cluster
    .list<Node>(collectionNames.nodes)
    .filter((node) => node.metadata.deletionTimestamp === undefined)
    .filter(({ metadata: { name: own, labels = {} }, spec }) => {
      const instance = world.instances.find(instanceIdIn(spec?.providerID));
      return (
        (name === undefined || own === name) &&
        (pool === undefined || labels[karpenterLabels.nodePool] === pool) &&
        (zone === undefined || labels[kubernetesLabels.zone] === zone) &&
        (release === undefined || instance?.release?.version === release) &&
        (!onlySpot || labels[karpenterLabels.capacityType] === 'spot')
      );
    })
    .toSorted(byTextOf(({ metadata }) => metadata.name));
  const wanted = count ?? Math.max(1, fitting.length);
  if (fitting.length < wanted) return { kind: 'tooFew', message: describeShortage(fitting.length, wanted, onlySpot) };
  const nodes = drawSome(fitting, wanted, random).map(({ metadata, spec }) => ({
    name: metadata.name,
    instanceId: instanceIdIn(spec?.providerID),
  }));
  return { kind: 'chosen', nodes };
}

const describeShortage = (found: number, wanted: number, onlySpot: boolean): string =>
  `${found === 0 ? 'no' : `only ${found}`} ${onlySpot ? 'spot ' : ''}${found === 1 ? 'node fits' : 'nodes fit'}, and the step is about ${wanted}`;

/** So many of all, in the order in which they are drawn. */
export function drawSome<T>(all: readonly T[], count: number, random: Random): readonly T[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, all.length) }, () => left.splice(random.integer(left.length), 1)).flat();
}
