import { type KubernetesObject, pods, type ResourceType } from '@nodewright/apis';
import { clusterCalls, type AccessCall, listNamespaceRoles, readInstallValues } from '@nodewright/manifests';
import { ApiError, type KubernetesClient, type WriteOptions } from '@nodewright/runtime';

/** The calls of the roles that an installation has; in which namespace a role is, and which names it has, does not count. */
function listGrantedCalls(): readonly AccessCall[] {
  const settings = { names: [], variableOf: String, defaultOf: () => 'leader', complaintAbout: () => undefined };
  const { values } = readInstallValues({}, settings);
  return [...clusterCalls, ...listNamespaceRoles(values, settings).flatMap(({ calls }) => calls)];
}

/**
 * A client that makes the calls which the roles of an installation allow, and refuses every other one as an API server
 * does. Before it every test of the operator is a test of its roles.
 */
export function clientWithinRights(client: KubernetesClient): KubernetesClient {
  const granted = new Set(
    listGrantedCalls().flatMap(({ group, resource, verbs }) => verbs.map((verb) => `${verb} ${group} ${resource}`)),
  );
  const within = <T>(
    verb: string,
    { group, plural }: ResourceType,
    subresource: string | undefined,
    make: () => T,
  ): T => {
    const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
    if (!granted.has(`${verb} ${group} ${resource}`)) throw refuseCall(verb, group, resource);
    return make();
  };
  const written = ({ subresource }: WriteOptions = {}) => subresource;
  return {
    get: async (type, key) => within('get', type, undefined, () => client.get(type, key)),
    list: async (type, options) => within('list', type, undefined, () => client.list(type, options)),
    watch: (type, options) => within('watch', type, undefined, () => client.watch(type, options)),
    create: async (type, object, options) =>
      within('create', type, written(options), () => client.create(type, object, options)),
    update: async (type, object, options) =>
      within('update', type, written(options), () => client.update(type, object, options)),
    patch: async <T extends KubernetesObject>(...[type, key, patch, options]: Parameters<KubernetesClient['patch']>) =>
      within('patch', type, written(options), () => client.patch(type as ResourceType<T>, key, patch, options)),
    delete: async (type, key, options) => within('delete', type, undefined, () => client.delete(type, key, options)),
    evict: async (pod, options) => within('create', pods, 'eviction', () => client.evict(pod, options)),
    bind: async (pod, nodeName) => within('create', pods, 'binding', () => client.bind(pod, nodeName)),
    serves: (type) => client.serves(type),
    version: () => client.version(),
  };
}

const refuseCall = (verb: string, group: string, resource: string): ApiError =>
  new ApiError({
    kind: 'Status',
    status: 'Failure',
    reason: 'Forbidden',
    code: 403,
    message: `the roles of the controller do not allow it to ${verb} ${resource}${group === '' ? '' : ` of ${group}`}`,
  });
