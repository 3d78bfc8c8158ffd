import {
  fromTimestamp,
  type Instant,
  type KubernetesObject,
  type NodeRollout,
  readOwn,
  rolloutRequestAnnotation,
  rolloutRequestKinds,
  byNumberOf,
} from '@nodewright/apis';
import type { RolloutRequest } from '@nodewright/engine';

/** What people ask for with annotations of a rollout, older requests first. */
export const readRequests = (rollout: NodeRollout, now: Instant): readonly RolloutRequest[] =>
  rolloutRequestKinds
    .flatMap((kind) => readRequest(rollout, { kind, rollout: rollout.metadata.name, now }) ?? [])
    .toSorted(byNumberOf(({ at }) => at));

/** What a person asks for with an annotation of an object. `rollout` is empty for a request that is no rollout's. */
export function readRequest(
  object: KubernetesObject,
  { kind, rollout, now }: Pick<RolloutRequest, 'kind' | 'rollout'> & { readonly now: Instant },
): RolloutRequest | undefined {
  const value = readOwn(object.metadata.annotations, rolloutRequestAnnotation(kind));
  if (value === undefined) return undefined;
  return {
    rollout,
    kind,
    value,
    ...(findWriter(object, rolloutRequestAnnotation(kind)) ?? { by: 'unknown', at: now }),
  };
}

type Writer = { readonly by: string; readonly at: Instant };

/** The field manager that owns the annotation, and when it wrote last; absent where the API server tells no managers. */
function findWriter({ metadata }: KubernetesObject, annotation: string): Writer | undefined {
  const entry = (metadata.managedFields ?? [])
    .flatMap((each) => asEntry(each) ?? [])
    .find(({ fields }) => fields.includes(`f:${annotation}`));
  if (entry?.time === undefined) return undefined;
  return { by: entry.manager, at: fromTimestamp(entry.time) };
}

type ManagedEntry = { readonly manager: string; readonly time: string | undefined; readonly fields: readonly string[] };

function asEntry(entry: unknown): ManagedEntry | undefined {
  const manager = memberOf(entry, 'manager');
  const time = memberOf(entry, 'time');
  const annotations = memberOf(memberOf(memberOf(entry, 'fieldsV1'), 'f:metadata'), 'f:annotations');
  if (typeof manager !== 'string' || typeof annotations !== 'object' || annotations === null) return undefined;
  return { manager, time: typeof time === 'string' ? time : undefined, fields: Object.keys(annotations) };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? readOwn(value as Readonly<Record<string, unknown>>, name) : undefined;
