import { toTimestamp } from '@nodewright/apis';
import { settled } from '../../resources/settled.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { decodeObject } from '../../http/request-body.ts';
import type { Outcome } from '../outcome.ts';
import { writeOptions } from '../request-options.ts';
import { conflict, internalError } from '../../http/status-error.ts';
import { existing } from '../verbs/get.ts';
import { tracked } from '../verbs/object-writes.ts';
import type { Call, World } from '../world.ts';
import { statusSuccess } from './success.ts';

type Binding = { readonly target?: { readonly name?: string } };
type Condition = { readonly type: string };
type Pod = {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
};

/** Puts a pod on a node, as a scheduler does; once. */
export function bind(world: World, call: Call): Outcome {
  const options = writeOptions(call, 'CreateOptions');
  const { target } = decodeObject(call.body, call.headers['content-type'], 'Binding') as Binding;
  const nodeName = target?.name ?? '';
  if (nodeName === '') throw internalError('target.name: Required value');
  const pod = existing(world, call);
  refuseBound(call, pod);
  if (!options.dryRun) {
    const after = boundPod(pod, nodeName, toTimestamp(world.clock.now()));
    const writer = { manager: options.manager, subresource: 'binding' };
    const { resource } = call;
    settled(resource, world.store.put(resource.collection, tracked(world, resource, { before: pod, after, writer })));
  }
  return statusSuccess(201);
}

function refuseBound({ path }: Call, pod: ApiObject): void {
  const { spec } = pod as unknown as Pod;
  const resource = { group: '', plural: 'pods/binding' };
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflict(resource, path.name, `pod ${path.name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec?.nodeName ?? '') !== '') {
    throw conflict(
      resource,
      path.name,
      `pod ${path.name} is already assigned to node ${JSON.stringify(spec?.nodeName)}`,
    );
  }
}

function boundPod(pod: ApiObject, nodeName: string, now: string): ApiObject {
  const { spec, status } = pod as unknown as Pod;
  const others = (status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return { ...pod, spec: { ...spec, nodeName }, status: { ...status, conditions: [...others, scheduled] } };
}
