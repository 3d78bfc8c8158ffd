import { toTimestamp } from '@nodewright/apis';
import { markSettled } from '../../resources/settled.ts';
import { asApiObject } from '../../resources/rules.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { decodeObject } from '../../http/request-body.ts';
import { admitSubresource } from '../admission.ts';
import type { RequestOutcome } from '../outcome.ts';
import { type ObjectWriteOptions, readWriteOptions } from '../request-options.ts';
import { badRequestError, conflictError, internalError } from '../../http/status-error.ts';
import { findExisting } from '../verbs/get.ts';
import { trackOwners } from '../verbs/object-writes.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { readSubresourceObject } from './subresource-body.ts';
import { statusSuccess } from './success.ts';

type PodBinding = { readonly target?: { readonly name?: string; readonly kind?: string } };
type BoundCondition = { readonly type: string };
type PodToBind = {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly conditions?: readonly BoundCondition[] };
};

/** Binds a pod to a node, as a scheduler does. A bound pod cannot be bound again. */
export function bindPod(world: ServerContext, call: ResourceCall): RequestOutcome {
  const options = readWriteOptions(call, 'CreateOptions');
  const document = decodeObject(call.body, call.headers['content-type'], 'Binding');
  writeBinding(world, call, readSubresourceObject({ group: '', version: 'v1', kind: 'Binding' }, document), options);
  return statusSuccess(201);
}

/** Binds the pod of the path to the node that the document names. */
export function writeBinding(
  world: ServerContext,
  call: ObjectCall,
  document: JsonObject,
  options: ObjectWriteOptions,
): void {
  refuseOtherBinding(call, document);
  const { name: nodeName = '', kind: targetKind = '' } = (document as PodBinding).target ?? {};
  const problems = [
    ...(targetKind === '' || targetKind === 'Node'
      ? []
      : [`target.kind: Unsupported value: ${JSON.stringify(targetKind)}: supported values: "Node", "<empty>"`]),
    ...(nodeName === '' ? ['target.name: Required value'] : []),
  ];
  if (problems.length > 0) throw internalError(problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`);
  const pod = findExisting(world, call);
  admitSubresource(world, call, asApiObject({ kind: 'Binding', apiVersion: 'v1', ...document }), pod, options);
  refuseBound(call, pod);
  if (options.dryRun) return;
  const after = boundPod(pod, nodeName, toTimestamp(world.clock.now()));
  const writer = { manager: options.manager, subresource: 'binding' };
  const { resource } = call;
  markSettled(
    resource,
    world.store.put(resource.collection, trackOwners(world, resource, { before: pod, after, writer })),
  );
}

function refuseOtherBinding({ path }: ObjectCall, { metadata }: JsonObject): void {
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (typeof name === 'string' && name !== '' && name !== path.name)
    throw badRequestError('name in URL does not match name in Binding object');
}

function refuseBound({ path }: ObjectCall, pod: ApiObject): void {
  const { spec } = pod as unknown as PodToBind;
  const resource = { group: '', plural: 'pods/binding' };
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflictError(resource, path.name, `pod ${path.name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec?.nodeName ?? '') !== '') {
    throw conflictError(
      resource,
      path.name,
      `pod ${path.name} is already assigned to node ${JSON.stringify(spec?.nodeName)}`,
    );
  }
}

function boundPod(pod: ApiObject, nodeName: string, now: string): ApiObject {
  const { spec, status } = pod as unknown as PodToBind;
  const others = (status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return { ...pod, spec: { ...spec, nodeName }, status: { ...status, conditions: [...others, scheduled] } };
}
