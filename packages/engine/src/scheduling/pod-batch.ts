import type { Pod } from '@nodewright/apis';
import { RequestReader } from '../pods/request-reader.ts';
import { podName } from '../pods/pod-state.ts';
import type { Resources } from './instance-type.ts';
import type { SchedulingProblem } from './problem.ts';

/** Pods that differ in nothing but what they take, by what they take. */
export type PodKind = { readonly pod: Pod; readonly byRequests: ReadonlyMap<Resources, readonly Pod[]> };

/** The pods of a round, sorted by all that some rule of it can look at. */
export type PodBatch = { readonly kinds: readonly PodKind[]; readonly requests: Iterable<Resources> };

export function podBatch(problem: SchedulingProblem): PodBatch {
  const kinds = new Map<string, { readonly pod: Pod; readonly byRequests: Map<Resources, Pod[]> }>();
  const reader = new RequestReader();
  for (const pod of problem.pods) {
    const text = kindText(pod, problem);
    let kind = kinds.get(text);
    if (kind === undefined) {
      kind = { pod, byRequests: new Map() };
      kinds.set(text, kind);
    }
    const requests = reader.read(pod);
    const alike = kind.byRequests.get(requests);
    if (alike === undefined) kind.byRequests.set(requests, [pod]);
    else alike.push(pod);
  }
  return { kinds: [...kinds.values()], requests: reader.all };
}

/** All of a pod but its requests. Fields that are left out need no mark: those that follow are told apart by their names. */
function kindText(pod: Pod, problem: SchedulingProblem): string {
  const { metadata, spec } = pod;
  let text = `${metadata.namespace ?? 'default'} ${JSON.stringify(metadata.labels)}`;
  if (spec.nodeSelector !== undefined) text += `selector${JSON.stringify(spec.nodeSelector)}`;
  if (spec.affinity !== undefined) text += affinityText(spec.affinity, problem);
  if (spec.tolerations !== undefined) text += `tolerations${JSON.stringify(spec.tolerations)}`;
  if (spec.topologySpreadConstraints !== undefined) text += `spread${JSON.stringify(spec.topologySpreadConstraints)}`;
  for (const { ports } of spec.containers) if (ports !== undefined) text += `ports${JSON.stringify(ports)}`;
  const { volumeRequirements, attachedVolumes, defaultSpread } = problem;
  if (volumeRequirements === undefined && attachedVolumes === undefined && defaultSpread === undefined) return text;
  const name = podName(pod);
  const ownSpread = defaultSpread?.get(name);
  if (ownSpread !== undefined) text += `default${JSON.stringify(ownSpread)}`;
  return volumeRequirements?.has(name) || attachedVolumes?.has(name) ? `${text}volumes${name}` : text;
}

/** Without the preferences where they have no effect. */
function affinityText(affinity: NonNullable<Pod['spec']['affinity']>, { options }: SchedulingProblem): string {
  if (options.preferencePolicy === 'Respect') return `affinity${JSON.stringify(affinity)}`;
  const required = [affinity.nodeAffinity, affinity.podAffinity, affinity.podAntiAffinity].map(
    (rules) => rules?.requiredDuringSchedulingIgnoredDuringExecution,
  );
  return required.every((rules) => rules === undefined) ? '' : `affinity${JSON.stringify(required)}`;
}
