import { type ImageRule, instant, type Instant, seconds } from '@nodewright/apis';
import type { RolloutNode } from '@nodewright/engine/inner';
import type { Random } from '@nodewright/runtime';

/** What nodes of an image do. Hours count from the start of the node. */
export type ImageBehaviour = {
  readonly neverJoins?: boolean;
  /** Its kubelets freeze after so long. */
  readonly freezesAfterMs?: number;
  /** This share of pod starts fails. */
  readonly breaksStarts?: number;
};

/** A node with what only the simulation knows. */
export type SimulatedNode = RolloutNode & { readonly bootsAt: Instant; readonly gone?: Instant };

type Aging = {
  readonly now: Instant;
  readonly behaviours: ReadonlyMap<string, ImageBehaviour>;
  /** The pods that hold nodes that leave. */
  readonly blockedPods: ReadonlyMap<string, { readonly pod: string; readonly podDisruptionBudget: string }>;
  readonly random: Random;
};

/** The node now: booted, frozen, held by a pod, or on its way out. */
export function ageNode(node: SimulatedNode, { now, behaviours, blockedPods, random }: Aging): SimulatedNode {
  const behaviour = behaviours.get(node.image) ?? {};
  const joins = node.initializedAt === undefined && node.bootsAt <= now && behaviour.neverJoins !== true;
  const joined = joins ? { ...node, initializedAt: node.bootsAt } : node;
  const freezesAt = (joined.initializedAt ?? now) + (behaviour.freezesAfterMs ?? Infinity);
  const leaseRenewedAt = instant(Math.min(now, freezesAt));
  const blockedBy = node.leaving ? blockedPods.get(node.name) : undefined;
  const drained = node.leaving && blockedBy === undefined && node.gone === undefined;
  const { blockedBy: _blockedBy, ...rest } = joined;
  return {
    ...rest,
    leaseRenewedAt,
    ...(blockedBy === undefined ? {} : { blockedBy }),
    ...(drained ? { gone: instant(now + seconds(30 + random.integer(300))) } : {}),
  };
}

/** The name of the rule that blocks an image, if one does. */
export function findBlockingRule(rules: readonly ImageRule[], image: string): string | undefined {
  const [, release, ...variant] = /^ami-([^-]+)-(.*)$/.exec(image) ?? [];
  const [, arch, accelerator] = (variant[0] ?? '').split('/');
  return rules.find(({ spec: { match, verdict } }) => {
    const { architectures = ['amd64', 'arm64'], accelerators = ['none', 'nvidia', 'neuron'] } = match.variants ?? {};
    const isAbout = match.ids?.includes(image) === true || match.versions?.includes(release ?? '') === true;
    return (
      verdict === 'Blocked' &&
      isAbout &&
      architectures.some((each) => each === arch) &&
      accelerators.some((each) => each === accelerator)
    );
  })?.metadata.name;
}
