import type { Pod } from '@nodewright/apis';
import { podRequests } from '../pods/pod-requests.ts';
import { podName } from '../pods/pod-state.ts';
import { requirementFor } from '../requirements/intersection.ts';
import { noRequirements } from '../requirements/requirement-set.ts';
import type { Requirements } from '../requirements/requirements.ts';
import type { AttachedVolume } from '../volumes/attached-volumes.ts';
import { hostPortsOf } from './host-ports.ts';
import type { HostPort } from './host-ports.ts';
import type { Resources } from './instance-type.ts';
import { allRequirements, constraintsOf, contradictedLabel, relaxed, strictRequirements } from './pod-constraints.ts';
import type { PodConstraints } from './pod-constraints.ts';
import type { SchedulingProblem } from './problem.ts';
import type { ResourceRow, ResourceTable } from './resource-rows.ts';
import { byExclusion } from './topology/topology-placement.ts';
import type { Topology, TopologyStake } from './topology/topology.ts';
import type { TopologyGroup } from './topology/topology-group.ts';

/** Pods that no rule of the round can tell apart. */
export type PodClass = {
  /** One of them, to look at. */
  readonly pod: Pod;
  readonly requests: Resources;
  readonly row: ResourceRow;
  readonly hostPorts: readonly HostPort[];
  /** What volumes ask of the node; one entry that asks nothing when there are none. */
  readonly volumeAlternatives: readonly Requirements[];
  /** What they would have attached. */
  readonly attached: readonly AttachedVolume[];
  /** From the pods' own wish to what is left when every preference has been given up; only those that a node could satisfy. */
  readonly forms: readonly PodForm[];
  /** The label on which the pods' demands exclude each other when there is no form. */
  readonly contradictedLabel?: string;
  /** Groups that count these pods wherever they go. */
  readonly counting: readonly TopologyGroup[];
  /** Groups that count pods keeping others away, as these do. */
  readonly keepingAway: readonly TopologyGroup[];
};

/** A class after some relaxation. */
export type PodForm = {
  readonly constraints: PodConstraints;
  readonly requirements: Requirements;
  readonly stakes: readonly TopologyStake[];
};

export type ClassifiedPod = { readonly pod: Pod; readonly podClass: PodClass };

type Context = {
  readonly problem: SchedulingProblem;
  readonly topology: Topology;
  readonly resources: ResourceTable;
  readonly somePreferNoSchedule: boolean;
};

/** Sorts the pods of a round into classes and states all their topology rules. */
export function classify(requested: ReadonlyMap<Pod, Resources>, context: Context): readonly ClassifiedPod[] {
  const { problem, topology } = context;
  const byIdentity = new Map<string, Pod[]>();
  for (const pod of problem.pods) {
    const identity = classIdentity(pod, problem);
    const members = byIdentity.get(identity);
    if (members === undefined) byIdentity.set(identity, [pod]);
    else members.push(pod);
  }
  const drafts = [...byIdentity.values()].map((members) => draftOf(members, context));
  // Only now has every rule of the batch been stated.
  return drafts.flatMap((draft) => {
    const podClass = completed(draft, requested, context, topology.groupsSelecting(draft.pod));
    return draft.members.map((pod) => ({ pod, podClass }));
  });
}

type Draft = {
  readonly pod: Pod;
  readonly members: readonly Pod[];
  readonly constraints: readonly PodConstraints[];
  readonly own: readonly (readonly TopologyGroup[])[];
  readonly keepingAway: readonly TopologyGroup[];
};

function draftOf(members: readonly Pod[], { problem, topology, somePreferNoSchedule }: Context): Draft {
  const [pod] = members as readonly [Pod];
  const wished = constraintsOf(pod, problem.options.preferencePolicy, problem.defaultSpread?.get(podName(pod)));
  const constraints = [...relaxations(wished, somePreferNoSchedule)];
  return {
    pod,
    members,
    constraints,
    own: constraints.map((form) => topology.declare(pod, termsInForce(form))),
    keepingAway: topology.declareInverse(pod),
  };
}

function* relaxations(first: PodConstraints, somePreferNoSchedule: boolean): Generator<PodConstraints> {
  for (
    let form: PodConstraints | undefined = first;
    form !== undefined;
    form = relaxed(form, { somePreferNoSchedule })
  ) {
    yield form;
  }
}

/** Preferences are taken as if they were required until they are given up. */
const termsInForce = (form: PodConstraints) => ({
  affinity: [...form.affinity, ...form.preferredAffinity],
  antiAffinity: [...form.antiAffinity, ...form.preferredAntiAffinity],
  spread: form.spread,
});

function completed(
  draft: Draft,
  requested: ReadonlyMap<Pod, Resources>,
  { problem, resources }: Context,
  selecting: readonly TopologyGroup[],
): PodClass {
  const requests = requested.get(draft.pod) ?? podRequests(draft.pod);
  const selectedBy = new Set(selecting);
  const keptAwayBy = selecting.filter(({ spec }) => spec.inverse);
  return {
    pod: draft.pod,
    requests,
    row: resources.row(requests),
    hostPorts: hostPortsOf(draft.pod),
    volumeAlternatives: problem.volumeRequirements?.get(podName(draft.pod)) ?? [noRequirements],
    attached: problem.attachedVolumes?.get(podName(draft.pod)) ?? [],
    ...contradictionOf(draft),
    forms: draft.constraints.flatMap((constraints, index) => {
      if (contradictedLabel(constraints) !== undefined) return [];
      const strict = strictRequirements(constraints);
      const groups = [...new Set([...(draft.own[index] ?? []), ...keptAwayBy])];
      const stakes = groups.map((group) => ({
        group,
        selfSelecting: selectedBy.has(group),
        podDomains: requirementFor(strict, group.spec.key),
      }));
      return [{ constraints, requirements: allRequirements(constraints), stakes: stakes.toSorted(byExclusion) }];
    }),
    counting: selecting.filter(({ spec }) => !spec.inverse),
    keepingAway: draft.keepingAway,
  };
}

function contradictionOf({ constraints }: Draft): Pick<PodClass, 'contradictedLabel'> {
  const [label, ...others] = constraints.map(contradictedLabel);
  return label === undefined || others.includes(undefined) ? {} : { contradictedLabel: label };
}

/** Everything of a pod that some rule of the round can look at. */
const classIdentity = ({ metadata, spec, status }: Pod, problem: SchedulingProblem): string => {
  const name = podName({ metadata, spec });
  const hasVolumes = problem.volumeRequirements?.has(name) || problem.attachedVolumes?.has(name);
  const volumes = hasVolumes ? metadata.name : null;
  const containers = [...spec.containers, ...(spec.initContainers ?? [])].map(({ resources, ports, restartPolicy }) => [
    resources,
    ports,
    restartPolicy,
  ]);
  return JSON.stringify([
    metadata.namespace,
    Object.entries(metadata.labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [spec.nodeSelector, spec.affinity, spec.tolerations, spec.topologySpreadConstraints],
    problem.defaultSpread?.get(name),
    [containers, spec.initContainers?.length, spec.overhead, spec.resources, volumes, status?.phase],
  ]);
};
