import { byText, type Pod } from '@nodewright/apis';
import { podName } from '../../pods/pod-state.ts';
import { requirementFor, noRequirements, type Requirements } from '@nodewright/requirements';
import type { AttachedVolume } from '../../volumes/attached-volumes.ts';
import type { FutileLaunch } from '../futile-launch.ts';
import { hostPortsOf, type PodHostPort } from '../../pods/host-ports.ts';
import type { Resources } from '../../instance-types/instance-type.ts';
import type { PodKind } from './pod-batch.ts';
import {
  allRequirements,
  podConstraintsOf,
  contradictedLabel,
  relaxConstraints,
  type PodConstraints,
} from '../../pods/pod-constraints.ts';
import type { SchedulingProblem } from '../problem.ts';
import type { ResourceRow, ResourceTable } from '../../instance-types/resource-rows.ts';
import { admittedNodes } from '../../pods/admitted-nodes.ts';
import { byExclusion } from '../topology/topology-placement.ts';
import type { Topology, TopologyStake } from '../topology/topology.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';

/** Pods that no rule of the round can tell apart. */
export type PodClass = {
  /** One of them, to look at. */
  readonly pod: Pod;
  readonly requests: Resources;
  readonly row: ResourceRow;
  readonly hostPorts: readonly PodHostPort[];
  /** What volumes ask of the node; one entry that asks nothing when there are none. */
  readonly volumeAlternatives: readonly Requirements[];
  /** What they would have attached. */
  readonly attached: readonly AttachedVolume[];
  /** From the pods' own wish to what is left when every preference has been given up; only the steps that a node could satisfy. */
  readonly forms: readonly PodForm[];
  /** The label on which the pods' demands exclude each other when there is no form. */
  readonly contradictedLabel: string | undefined;
  /** Whether some nodes do not take them, although everything fits. */
  readonly isKeptOff: boolean;
  /** Nodes were launched for them in vain. */
  readonly held: FutileLaunch | undefined;
  /** Groups that count these pods wherever they go. */
  readonly counting: readonly TopologyGroup[];
  /** Groups that count pods keeping others away, as these do. */
  readonly keepingAway: readonly TopologyGroup[];
};

/** What pods ask after some relaxation; one object for all classes that differ in their requests only. */
export type PodForm = {
  readonly constraints: PodConstraints;
  readonly requirements: Requirements;
  readonly stakes: readonly TopologyStake[];
};

export type ClassifiedPod = { readonly pod: Pod; readonly podClass: PodClass };

/** All pods of a class. */
export type ClassifiedPods = { readonly podClass: PodClass; readonly pods: readonly Pod[] };

type ClassContext = {
  readonly problem: SchedulingProblem;
  readonly topology: Topology;
  readonly resources: ResourceTable;
  readonly somePreferNoSchedule: boolean;
};

/** Works out what the pods of a round ask, and states all their topology rules. */
export function classifyPods(kinds: readonly PodKind[], context: ClassContext): readonly ClassifiedPods[] {
  const drafts = kinds.map((kind) => draftPodClass(kind, context));
  // Only now has every rule of the batch been stated.
  const classified: ClassifiedPods[] = [];
  for (const draft of drafts) {
    const demand = podClassDemand(draft, context.problem, context.topology.groupsSelecting(draft.kind.pod));
    for (const [requests, pods] of draft.kind.byRequests) {
      const podClass = { ...demand, requests, row: context.resources.row(requests) };
      classified.push({ podClass, pods });
    }
  }
  return classified;
}

type PodClassDraft = {
  readonly kind: PodKind;
  readonly constraints: readonly PodConstraints[];
  readonly own: readonly (readonly TopologyGroup[])[];
  readonly keepingAway: readonly TopologyGroup[];
};

function draftPodClass(kind: PodKind, { problem, topology, somePreferNoSchedule }: ClassContext): PodClassDraft {
  const { pod } = kind;
  const wished = podConstraintsOf(pod, problem.options.preferencePolicy, problem.defaultSpread?.get(podName(pod)));
  const constraints = [...relaxations(wished, somePreferNoSchedule)];
  return {
    kind,
    constraints,
    own: constraints.map((form) => topology.declare(pod, termsInForce(form))),
    keepingAway: topology.declareInverse(pod),
  };
}

/** What the pods wish for, giving up one thing after the other; last what that order passes over: earlier alternatives without preferences. */
function* relaxations(first: PodConstraints, somePreferNoSchedule: boolean): Generator<PodConstraints> {
  let last = first;
  let preferencesLost = 0;
  for (
    let form: PodConstraints | undefined = first;
    form !== undefined;
    form = relaxConstraints(form, { somePreferNoSchedule })
  ) {
    if (form.requiredTerms.length === last.requiredTerms.length && form !== first) preferencesLost += 1;
    last = form;
    yield form;
  }
  if (preferencesLost === 0) return;
  for (const term of first.requiredTerms.slice(0, -1)) yield { ...last, requiredTerms: [term] };
}

/** Preferences are taken as if they were required until they are given up. */
const termsInForce = (form: PodConstraints) => ({
  affinity: [...form.affinity, ...form.preferredAffinity],
  antiAffinity: [...form.antiAffinity, ...form.preferredAntiAffinity],
  spread: form.spread,
});

/** What pods of a kind ask beside resources. */
function podClassDemand(
  draft: PodClassDraft,
  problem: SchedulingProblem,
  selecting: readonly TopologyGroup[],
): Omit<PodClass, 'requests' | 'row'> {
  const { pod } = draft.kind;
  const selectedBy = new Set(selecting);
  // They are stated in the order of the pods, and the first that refuses is the one that is reported.
  const keptAwayBy = selecting.filter(({ spec }) => spec.inverse).toSorted(byIdentity);
  const alternatives = admittedNodes(pod);
  // As kube-scheduler counts: over all nodes that some alternative admits, or over all there are.
  const podDomains = ({ spec, anywhere }: TopologyGroup) =>
    spec.filter?.honorsAffinity === false ? [anywhere] : alternatives.map((each) => requirementFor(each, spec.key));
  return {
    pod,
    hostPorts: hostPortsOf(pod),
    volumeAlternatives: problem.volumeRequirements?.get(podName(pod)) ?? [noRequirements],
    attached: problem.attachedVolumes?.get(podName(pod)) ?? [],
    isKeptOff: problem.keptOff?.pods.has(pod) ?? false,
    held: problem.held?.get(pod),
    contradictedLabel: contradictionOf(draft),
    forms: draft.constraints.flatMap((constraints, index) => {
      if (contradictedLabel(constraints) !== undefined) return [];
      const own = draft.own[index] ?? [];
      const stakes = new Map(
        [...own, ...keptAwayBy].map((group) => [
          group,
          { group, selfSelecting: selectedBy.has(group), podDomains: podDomains(group) },
        ]),
      );
      const { spread, affinity } = constraints;
      const together = new Set(own.slice(spread.length, spread.length + affinity.length));
      const all = [...stakes.values()];
      return [
        {
          constraints,
          requirements: allRequirements(constraints),
          stakes: all.map((stake) => withOthers(stake, together, all)).toSorted(byExclusion),
        },
      ];
    }),
    counting: selecting.filter(({ spec }) => !spec.inverse),
    keepingAway: draft.keepingAway,
  };
}

const byIdentity = (a: TopologyGroup, b: TopologyGroup): number => byText(a.identity, b.identity);

/** A stake in one of several groups that go together, with those in the others. */
const withOthers = (
  stake: TopologyStake,
  together: ReadonlySet<TopologyGroup>,
  all: readonly TopologyStake[],
): TopologyStake =>
  together.size < 2 || !together.has(stake.group)
    ? stake
    : { ...stake, beside: all.filter((other) => other !== stake && together.has(other.group)) };

function contradictionOf({ constraints }: PodClassDraft): string | undefined {
  const [label, ...others] = constraints.map(contradictedLabel);
  return others.includes(undefined) ? undefined : label;
}
