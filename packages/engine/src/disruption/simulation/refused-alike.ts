import { byText, byTextOf, kubernetesLabels, latestPerObject, type Instant, type Pod } from '@nodewright/apis';
import {
  boughtLabelsOf,
  isInitialized,
  nodeAllocatableOf,
  nodeCapacityOf,
  nodeLabelsOf,
  nodePoolNameOf,
  nodeTaintsOf,
  type NodeState,
} from '../../cluster/node-state.ts';
import { podName } from '../../pods/pod-state.ts';
import { podRequests } from '../../pods/pod-requests.ts';
import { printPodKind, type KindFacts } from '../../solve/pods/pod-batch.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { DisruptionBlocker } from '../candidates/disruption-blocker.ts';
import type { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

/**
 * Candidates that were refused in one pass because their pods would go to a node that is still starting. One that
 * differs from them in nothing but names is refused for the same reason without a simulation of its own: as long as
 * a node starts, every pass would otherwise simulate all nodes of its kind in vain.
 *
 * Only this refusal is passed on. It ends by itself, when the node is initialized or given up.
 */
export class RefusedAlike {
  readonly #refusals = new Map<string, Refusal>();
  readonly #seen: DisruptionSnapshot;
  readonly #rules: EvictionRules;
  readonly #now: Instant;

  constructor(seen: DisruptionSnapshot, { rules, now }: { readonly rules: EvictionRules; readonly now: Instant }) {
    this.#seen = seen;
    this.#rules = rules;
    this.#now = now;
  }

  /** Remembers what a simulation said of the candidate, if it is to be passed on. */
  note(candidate: DisruptionCandidate, blocker: DisruptionBlocker): void {
    if (blocker.kind !== 'uninitializedDestination') return;
    const { text, moving } = this.#kindOf(candidate);
    const risked = new Set(blocker.pods);
    const places = moving.flatMap((pod, place) => (risked.has(pod) ? place : []));
    this.#refusals.set(text, { node: blocker.node, places });
  }

  /** What stands against a candidate that is like one refused before. */
  blockerOf(candidate: DisruptionCandidate): DisruptionBlocker | undefined {
    if (this.#refusals.size === 0) return undefined;
    const { text, moving } = this.#kindOf(candidate);
    const refusal = this.#refusals.get(text);
    if (refusal === undefined) return undefined;
    const pods = refusal.places.flatMap((place) => moving[place] ?? []);
    return { kind: 'uninitializedDestination', pods, node: refusal.node };
  }

  /** Equal text for candidates that nothing but names tells apart; their pods that move, in an order that is the same for them. */
  #kindOf({ state, reschedulable }: DisruptionCandidate): { readonly text: string; readonly moving: readonly Pod[] } {
    const { node, pods } = printNodeKind(state, this.#seen);
    const moving = reschedulable
      .filter((pod) => this.#rules.canMove(pod, this.#now))
      .map((pod) => ({ pod, text: pods.get(pod) ?? '' }))
      .toSorted(byTextOf(({ text }) => text));
    return { text: JSON.stringify([node, moving.map(({ text }) => text)]), moving: moving.map(({ pod }) => pod) };
  }
}

/** The node that is not initialized, and which of the pods that move would go there, by their place in the order of kinds. */
type Refusal = { readonly node: string; readonly places: readonly number[] };

type NodeKind = { readonly node: string; readonly pods: ReadonlyMap<Pod, string> };

type KnownOfPods = KindFacts & Pick<DisruptionSnapshot, 'promised' | 'held'>;

/** All of a node and its pods that a round looks at, without their names. */
const printNodeKind = (state: NodeState, { options, ...facts }: KnownOfPods): NodeKind =>
  factsOfPods.every((fact) => (facts[fact]?.size ?? 0) === 0)
    ? plainNodeKind(state, options)
    : readNodeKind(state, { options, ...facts });

const factsOfPods = ['volumeRequirements', 'attachedVolumes', 'defaultSpread', 'promised', 'held'] as const;

/** Kept where nothing is known of pods beside what stands in them: what is kept must not hold an earlier snapshot. */
const plainNodeKind = latestPerObject(
  (state: NodeState, options: KindFacts['options']) => readNodeKind(state, { options }),
  (before, now) => before === now,
);

function readNodeKind(state: NodeState, known: KnownOfPods): NodeKind {
  const pods = new Map(state.pods.map((pod) => [pod, printWholePod(pod, known)]));
  const node = JSON.stringify([
    nodePoolNameOf(state),
    withoutHostname(nodeLabelsOf(state)),
    withoutHostname(boughtLabelsOf(state)),
    nodeTaintsOf(state),
    isInitialized(state),
    nodeCapacityOf(state),
    nodeAllocatableOf(state),
    [...(state.attachLimits ?? [])],
    [...pods.values()].toSorted(byText),
  ]);
  return { node, pods };
}

/** With its name, which makes it unlike any other, where a launch is meant for it. */
function printWholePod(pod: Pod, known: KnownOfPods): string {
  const isMeant = known.promised?.has(pod) === true || known.held?.has(pod) === true;
  return JSON.stringify([printPodKind(pod, known), podRequests(pod), isMeant ? podName(pod) : undefined]);
}

const withoutHostname = (labels: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(labels).filter(([key]) => key !== kubernetesLabels.hostname);
