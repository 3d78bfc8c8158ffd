import { ApiError, ConnectionError, type RequestHandler } from '@nodewright/runtime';
import type { EksClusterAccess, Eks, Faults } from '@nodewright/aws-endpoints';
import type { ApiServer } from '@nodewright/kube-api';

/** What EKS needs to look after managed nodes, by verb and resource. */
const needed = [
  ['list', 'pods'],
  ['watch', 'pods'],
  ['delete', 'pods'],
  ['create', 'pods/eviction'],
  ['list', 'nodes'],
  ['watch', 'nodes'],
  ['patch', 'nodes'],
] as const;

/** Whether EKS can do its work in the cluster now, as the user it is there. */
export function clusterAccess(kubernetes: ApiServer, faults: Faults, userName: string): EksClusterAccess {
  if (faults.find('cluster-unreachable').length > 0) return 'unreachable';
  const user = { name: userName, groups: ['system:authenticated'] };
  const isMissing = needed.some(([verb, wanted]) => {
    const [plural = '', subresource = ''] = wanted.split('/');
    return !kubernetes.isAllowed(user, { verb, resource: { group: '', plural, subresource, namespace: '', name: '' } });
  });
  return isMissing ? 'denied' : 'granted';
}

type ReachedServer = Pick<ApiServer, 'handle' | 'operate' | 'version'>;

/** The API server as EKS reaches it: not at all, while a fault says so. */
export function fromEks(kubernetes: ApiServer, faults: Faults): ReachedServer {
  const refuseUnreachable = (call: string): void => {
    if (faults.find('cluster-unreachable').length === 0) return;
    throw new ConnectionError(call, new Error('the fault cluster-unreachable is in force'));
  };
  return {
    handle: async (request, signal, serving) => {
      refuseUnreachable(`${request.method} ${request.path}`);
      return kubernetes.handle(request, signal, serving);
    },
    operate: (client, resource, work) => {
      refuseUnreachable(resource.plural);
      return kubernetes.operate(client, resource, work);
    },
    get version() {
      return kubernetes.version;
    },
  };
}

/** The API server as long as EKS has the cluster. */
export function whileThere(kubernetes: ApiServer, { controlPlane, clusterName }: Eks): ApiServer {
  const message = `cluster ${clusterName} was deleted`;
  const gone = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 503, message };
  const body = Buffer.from(JSON.stringify({ ...gone, reason: 'ServiceUnavailable' }));
  const refusal = { status: 503, headers: { 'content-type': 'application/json' }, body };
  const handle: RequestHandler = async (...call) => (controlPlane.isThere ? kubernetes.handle(...call) : refusal);
  const operate: ApiServer['operate'] = (...call) => {
    if (controlPlane.isThere) return kubernetes.operate(...call);
    throw new ApiError({ ...gone, kind: 'Status', status: 'Failure', reason: 'ServiceUnavailable' });
  };
  return Object.assign(Object.create(kubernetes) as ApiServer, { handle, operate });
}
