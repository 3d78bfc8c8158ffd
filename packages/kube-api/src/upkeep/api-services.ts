import { readOwn, toTimestamp } from '@nodewright/apis';
import { metricsGroup } from '../resources/measured-kinds.ts';
import { definitionsCollection, type Registry } from '../resources/registry.ts';
import { groupVersion } from '../resources/served-kind.ts';
import { withStatusOwner } from '../resources/server-owners.ts';
import { installAside, type ServerWrites } from '../resources/server-writes.ts';
import { type ApiObject, storedKeyOf } from '../storage/api-object.ts';

const serviceGroup = 'apiregistration.k8s.io';
const serviceCollection = `apiservices.${serviceGroup}`;
const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';

type ServedVersion = { readonly group: string; readonly version: string };

/**
 * Keeps one APIService for each group and version that is served, as the aggregator does: those of built-in kinds, those of
 * custom resource definitions, and that of the metrics server. Objects of users stay; they lead nowhere.
 */
export class ApiServiceObjects {
  readonly #writes: ServerWrites;
  readonly #registry: Registry;

  /** The registry follows definitions first. */
  constructor(writes: ServerWrites, registry: Registry) {
    this.#writes = writes;
    this.#registry = registry;
    const { store } = writes;
    store.collection(definitionsCollection).subscribe(() => this.complete());
    store.collection(serviceCollection).subscribe(({ type, object }) => {
      if (type === 'DELETED' && isManagedService(object)) this.complete();
      if (type !== 'DELETED') this.#judge(object);
    });
  }

  /** Creates what is missing, and removes what is served no longer. */
  complete(): void {
    const { store } = this.#writes;
    const served = this.#servedVersions();
    for (const version of served) this.#install(this.#serviceFor(version));
    const names = new Set(served.map(apiServiceName));
    for (const object of store.collection(serviceCollection).list()) {
      if (isManagedService(object) && !names.has(object.metadata.name))
        store.remove(serviceCollection, storedKeyOf(object));
    }
  }

  /** A service outside the cluster leads nowhere. */
  #judge(object: ApiObject): void {
    const service = readOwn((object['spec'] ?? {}) as Readonly<Record<string, unknown>>, 'service');
    const { store, clock } = this.#writes;
    const status = object['status'] as { readonly conditions?: readonly { readonly type?: string }[] } | undefined;
    const conditions = status?.conditions ?? [];
    if (isManagedService(object) || conditions.some(({ type }) => type === 'Available')) return;
    const place = (service ?? {}) as { readonly namespace?: string; readonly name?: string };
    const found =
      service === undefined ||
      store.collection('services').get({ namespace: place.namespace ?? '', name: place.name ?? '' }) !== undefined;
    const now = toTimestamp(clock.now());
    const reason = found
      ? reasonOfService(object)
      : {
          reason: 'ServiceNotFound',
          message: `service/${place.name} in ${JSON.stringify(place.namespace)} is not present`,
        };
    const condition = { type: 'Available', status: found ? 'True' : 'False', lastTransitionTime: now, ...reason };
    const after = { ...object, status: { ...status, conditions: [...conditions, condition] } };
    store.put(serviceCollection, withStatusOwner(object, after, { manager: 'kube-apiserver', now }));
  }

  #servedVersions(): readonly ServedVersion[] {
    return this.#registry
      .groups()
      .filter(({ name }) => name !== serviceGroup)
      .flatMap(({ name, versions }) => versions.map((version) => ({ group: name, version })));
  }

  #install(service: ApiObject): void {
    const condition = { type: 'Available', status: 'True', lastTransitionTime: toTimestamp(this.#writes.clock.now()) };
    const status = { conditions: [{ ...condition, ...reasonOfService(service) }] };
    installAside(this.#writes, serviceCollection, { ...service, status });
  }

  #serviceFor(version: ServedVersion): ApiObject {
    if (version.group === metricsGroup) return metricsService(version);
    return this.#registry.isBuiltInGroup(version.group)
      ? localService(version, 'onstart', builtInPriority(version))
      : localService(version, 'true', { groupPriorityMinimum: 1000, versionPriority: 100 });
  }
}

const apiServiceName = ({ group, version }: ServedVersion): string => `${version}.${group}`;

const isManagedService = ({ metadata }: ApiObject): boolean =>
  readOwn(metadata.labels, managedLabel) !== undefined || metadata.name.endsWith(`.${metricsGroup}`);

type ServicePriority = { readonly groupPriorityMinimum: number; readonly versionPriority: number };

const localService = (version: ServedVersion, managed: string, priority: ServicePriority): ApiObject => ({
  kind: 'APIService',
  apiVersion: `${serviceGroup}/v1`,
  metadata: { name: apiServiceName(version), labels: { [managedLabel]: managed } },
  spec: { ...(version.group !== '' && { group: version.group }), version: version.version, ...priority },
});

const metricsService = (version: ServedVersion): ApiObject => ({
  kind: 'APIService',
  apiVersion: `${serviceGroup}/v1`,
  metadata: { name: apiServiceName(version), labels: { 'k8s-app': 'metrics-server' } },
  spec: {
    service: { namespace: 'kube-system', name: 'metrics-server', port: 443 },
    ...version,
    insecureSkipTLSVerify: true,
    groupPriorityMinimum: 100,
    versionPriority: 100,
  },
});

const reasonOfService = ({ spec }: ApiObject): { readonly reason: string; readonly message: string } =>
  readOwn(spec as Readonly<Record<string, unknown>>, 'service') === undefined
    ? { reason: 'Local', message: 'Local APIServices are always available' }
    : { reason: 'Passed', message: 'all checks passed' };

/** The order of groups in discovery: a higher number comes first. */
const groupPriorities: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'resource.k8s.io': 15_900,
};

/** The order of versions within a group, where it is not the usual one. */
const versionPriorities: Readonly<Record<string, number>> = {
  v1: 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
};

const builtInPriority = (version: ServedVersion): ServicePriority => ({
  groupPriorityMinimum: readOwn(groupPriorities, version.group) ?? 16_000,
  versionPriority: readOwn(versionPriorities, groupVersion(version)) ?? 15,
});
