import type { Pod } from '@nodewright/apis';
import { holdsAlready, RequestReader } from '../../pods/request-reader.ts';
import { podName } from '../../pods/pod-state.ts';
import type { Resources } from '../../instance-types/instance-type.ts';
import { isSameJson } from './is-same.ts';
import type { SchedulingProblem } from '../problem.ts';

/** Pods that differ only in their requests, grouped by requests. */
export type PodKind = { readonly pod: Pod; readonly byRequests: ReadonlyMap<Resources, readonly Pod[]> };

/** The pods of a round, grouped by everything that a rule can examine. */
export type PodBatch = { readonly kinds: readonly PodKind[]; readonly requests: Iterable<Resources> };

export function podBatch(problem: SchedulingProblem): PodBatch {
  const kinds = new Map<string, { readonly pod: Pod; readonly byRequests: Map<Resources, Pod[]> }>();
  const reader = new RequestReader();
  const isLike = compareAsAlike(problem);
  const treatmentOf = treatments(problem);
  let previous: Pod | undefined;
  let likePrevious: Pod[] = [];
  for (const pod of problem.pods) {
    if (previous !== undefined && isLike(pod, previous) && treatmentOf(pod) === treatmentOf(previous)) {
      likePrevious.push(pod);
      continue;
    }
    previous = pod;
    const text = `${treatmentOf(pod)}${printPodKind(pod, problem)}`;
    let kind = kinds.get(text);
    if (kind === undefined) {
      kind = { pod, byRequests: new Map() };
      kinds.set(text, kind);
    }
    const requests = reader.read(pod);
    const alike = kind.byRequests.get(requests);
    likePrevious = alike ?? [];
    likePrevious.push(pod);
    if (alike === undefined) kind.byRequests.set(requests, likePrevious);
  }
  return { kinds: [...kinds.values()], requests: reader.all };
}

/** What the problem says about a pod beside its own spec: equal text for equal treatment. */
function treatments({ keptOff, held }: SchedulingProblem): (pod: Pod) => string {
  if (keptOff === undefined && held === undefined) return () => '';
  const launches = [...new Set(held?.values() ?? [])];
  const numbers = new Map(launches.map((launch, number) => [launch, String(number)]));
  return (pod) => {
    const launch = held?.get(pod);
    return `${keptOff?.pods.has(pod) === true ? 'off' : ''}${launch === undefined ? '' : numbers.get(launch)}`;
  };
}

/**
 * Whether two pods are told apart by nothing that a round looks at, found out without writing anything down: pods of
 * one deployment mostly follow one another. False may also mean that it is not known.
 */
function compareAsAlike(problem: SchedulingProblem) {
  const affinitiesAgree = problem.options.preferencePolicy === 'Respect' ? isSameJson : agreeOnWhatIsRequired;
  const hasFacts = podFactsOf(problem);
  return (one: Pod, other: Pod): boolean => {
    const { metadata: m, spec: a } = one;
    const { metadata: n, spec: b } = other;
    return (
      isSameJson(m.labels, n.labels) &&
      m.namespace === n.namespace &&
      takeTheSame(one, other) &&
      affinitiesAgree(a.affinity, b.affinity) &&
      isSameJson(a.nodeSelector, b.nodeSelector) &&
      isSameJson(a.tolerations, b.tolerations) &&
      isSameJson(a.topologySpreadConstraints, b.topologySpreadConstraints) &&
      !hasFacts(one) &&
      !hasFacts(other)
    );
  };
}

/** Mounts, probes and variables of containers do not matter; those of accounts have names of their own in each pod. */
function takeTheSame(one: Pod, other: Pod): boolean {
  if (holdsAlready(one) || holdsAlready(other)) return false;
  const { spec: a } = one;
  const { spec: b } = other;
  return (
    areAlike(a.containers, b.containers) &&
    areAlike(a.initContainers ?? noTerms, b.initContainers ?? noTerms) &&
    isSameJson(a.overhead, b.overhead) &&
    isSameJson(a.resources, b.resources) &&
    a.hostNetwork === b.hostNetwork
  );
}

type Containers = Pod['spec']['containers'];

const noTerms: Containers = [];

function areAlike(some: Containers, others: Containers): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) {
    const a = some[i];
    const b = others[i];
    if (
      a?.restartPolicy !== b?.restartPolicy ||
      !isSameJson(a?.resources, b?.resources) ||
      !isSameJson(a?.ports, b?.ports)
    )
      return false;
  }
  return true;
}

type PodFacts = Pick<SchedulingProblem, 'volumeRequirements' | 'attachedVolumes' | 'defaultSpread'>;

/** Whether something is known of a pod that does not stand in it. */
function podFactsOf({ volumeRequirements, attachedVolumes, defaultSpread }: PodFacts): (pod: Pod) => boolean {
  const known = [volumeRequirements, attachedVolumes, defaultSpread].filter((facts) => facts && facts.size > 0);
  return known.length === 0 ? () => false : (pod) => known.some((facts) => facts?.has(podName(pod)));
}

type PodAffinityTerms = Pod['spec']['affinity'];

const agreeOnWhatIsRequired = (a: PodAffinityTerms, b: PodAffinityTerms): boolean =>
  (['nodeAffinity', 'podAffinity', 'podAntiAffinity'] as const).every((rule) =>
    isSameJson(
      a?.[rule]?.requiredDuringSchedulingIgnoredDuringExecution,
      b?.[rule]?.requiredDuringSchedulingIgnoredDuringExecution,
    ),
  );

/** What a round knows of pods that does not stand in them. */
export type KindFacts = Pick<SchedulingProblem, 'options'> & PodFacts;

/** All of a pod that a rule can examine but its requests, written down in one go: pods of one kind have the same text. */
export function printPodKind(pod: Pod, { options, ...facts }: KindFacts): string {
  const { metadata, spec } = pod;
  return JSON.stringify([
    metadata.namespace ?? 'default',
    metadata.labels,
    spec.nodeSelector,
    options.preferencePolicy === 'Respect' ? spec.affinity : requiredOf(spec.affinity),
    spec.tolerations,
    spec.topologySpreadConstraints,
    hostPortsText(spec),
    factsText(pod, facts),
  ]);
}

/** Without the preferences, where they have no effect. */
function requiredOf(affinity: PodAffinityTerms): readonly unknown[] | undefined {
  if (affinity === undefined) return undefined;
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  const required = [nodeAffinity, podAffinity, podAntiAffinity].map(
    (rules) => rules?.requiredDuringSchedulingIgnoredDuringExecution,
  );
  return required.every((rules) => rules === undefined) ? undefined : required;
}

function hostPortsText({ containers, hostNetwork }: Pod['spec']): readonly unknown[] | undefined {
  const ports = containers.flatMap((container) => container.ports ?? []);
  return ports.length === 0 ? undefined : [hostNetwork === true, ports];
}

/** What is known of a pod that does not stand in it; volumes are its own. */
function factsText(pod: Pod, { volumeRequirements, attachedVolumes, defaultSpread }: PodFacts): string | undefined {
  if (volumeRequirements === undefined && attachedVolumes === undefined && defaultSpread === undefined)
    return undefined;
  const name = podName(pod);
  const spread = JSON.stringify(defaultSpread?.get(name) ?? null);
  return volumeRequirements?.has(name) || attachedVolumes?.has(name) ? `${spread} ${name}` : spread;
}
