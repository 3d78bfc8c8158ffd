import { noSuchResourceError, StatusError } from '../../http/status-error.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { fieldText } from '../../selectors/selectable-fields.ts';
import type { RequestOutcome } from '../outcome.ts';
import { findExisting } from '../verbs/get.ts';
import type { ResourceCall, ServerContext } from '../world.ts';

/** Asks the kubelet of a node. The name in the path may have a scheme and a port, as in `https:NAME:10250`. */
export function askKubelet(world: ServerContext, call: ResourceCall): RequestOutcome {
  const node = findExisting(world, { ...call, path: { ...call.path, name: hostName(call.path.name) } });
  refuseSilentNode(node);
  const { name } = node.metadata;
  const path = (call.path.proxied ?? '').replace(/\/$/, '');
  const pods = world.store
    .collection('pods')
    .withField('spec.nodeName', name, (pod) => fieldText(pod, 'spec.nodeName'));
  const answer = call.info.method === 'GET' ? world.kubelets?.read(node, path, pods) : undefined;
  if (answer === undefined) throw noSuchResourceError();
  return { kind: 'text', ...answer };
}

const hostName = (name: string): string => {
  const parts = name.split(':');
  return (parts.length === 3 ? parts[1] : parts[0]) ?? '';
};

type NodeStatus = {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
};

/** A node whose kubelet the control plane does not hear does not answer either. */
function refuseSilentNode({ status }: ApiObject): void {
  const { conditions = [], addresses = [] } = (status ?? {}) as NodeStatus;
  if (conditions.find(({ type }) => type === 'Ready')?.status !== 'Unknown') return;
  const address = addresses.find(({ type }) => type === 'InternalIP')?.address ?? '';
  throw new StatusError(503, `error trying to reach service: dial tcp ${address}:10250: i/o timeout`, {
    reason: 'ServiceUnavailable',
  });
}
