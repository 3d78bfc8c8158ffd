import {
  type PersistentVolumeClaim,
  type Pod,
  type PodTemplateSpec,
  type StatefulSet,
  statefulSets,
} from '@nodewright/apis';
import { controlledBy } from '../../objects/ownership.ts';
import { podFromTemplate } from '../pod-from-template.ts';
import { revisionLabel } from '../revisions/revisions.ts';

/** The ordinal of a pod in its set: 2 of `web-2`. */
export function ordinalOf(set: StatefulSet, { metadata }: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const text = metadata.name.startsWith(prefix) ? metadata.name.slice(prefix.length) : '';
  return numberIn(text);
}

const numberIn = (text: string): number | undefined => (/^(0|[1-9]\d*)$/.test(text) ? Number(text) : undefined);

/** The ordinals that a set should have, the smallest first. */
export function ordinalsOf({ spec }: StatefulSet): readonly number[] {
  const start = spec.ordinals?.start ?? 0;
  return Array.from({ length: spec.replicas ?? 1 }, (_, index) => start + index);
}

/** The pod of an ordinal, with a name, a host name and claims of its own. */
export function memberPod(set: StatefulSet, ordinal: number, template: PodTemplateSpec, revision: string): Pod {
  const name = nameOfMember(set, ordinal);
  const pod = podFromTemplate(template, { type: statefulSets, object: set });
  const { generateName: _, ...metadata } = pod.metadata;
  const { serviceName } = set.spec;
  return {
    ...pod,
    metadata: {
      ...metadata,
      name,
      labels: {
        ...metadata.labels,
        'apps.kubernetes.io/pod-index': String(ordinal),
        [revisionLabel]: revision,
        'statefulset.kubernetes.io/pod-name': name,
      },
    },
    spec: {
      ...pod.spec,
      hostname: name,
      ...(serviceName === undefined || serviceName === '' ? {} : { subdomain: serviceName }),
      ...volumesOfMember(set, ordinal, pod.spec.volumes ?? []),
    },
  };
}

/** The claims of an ordinal. They outlive its pod. They outlive the set unless its policy says otherwise. */
export function memberClaims(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  const isDeletedWithSet = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete';
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claimName(template, set, ordinal),
      ...(set.metadata.namespace === undefined ? {} : { namespace: set.metadata.namespace }),
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
      ...(template.metadata.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
      ...(isDeletedWithSet ? { ownerReferences: [controlledBy(statefulSets, set)] } : {}),
    },
    ...(template.spec === undefined ? {} : { spec: template.spec }),
  }));
}

/** The ordinal of a claim of the set; undefined for other claims. */
export function ordinalOfClaim(set: StatefulSet, { metadata }: PersistentVolumeClaim): number | undefined {
  if (metadata.namespace !== set.metadata.namespace) return undefined;
  const prefixes = (set.spec.volumeClaimTemplates ?? []).map((each) => `${each.metadata.name}-${set.metadata.name}-`);
  const prefix = prefixes.find((each) => metadata.name.startsWith(each));
  return prefix === undefined ? undefined : numberIn(metadata.name.slice(prefix.length));
}

export const nameOfMember = (set: StatefulSet, ordinal: number): string => `${set.metadata.name}-${ordinal}`;

const claimName = (template: PersistentVolumeClaim, set: StatefulSet, ordinal: number): string =>
  `${template.metadata.name}-${nameOfMember(set, ordinal)}`;

/** A claim of the set takes the place of a volume of the same name. */
function volumesOfMember(
  set: StatefulSet,
  ordinal: number,
  volumes: NonNullable<Pod['spec']['volumes']>,
): Partial<Pod['spec']> {
  const claimed = (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    name: template.metadata.name,
    persistentVolumeClaim: { claimName: claimName(template, set, ordinal) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  const all = [...claimed, ...volumes.filter(({ name }) => !names.has(name))];
  return all.length === 0 ? {} : { volumes: all };
}
