import type { ResourceList } from '@nodewright/apis';
import { podAmounts } from '../../builtin/pod-amounts.ts';
import type { ApiObject } from '../../storage/api-object.ts';

/** Kinds that a quota may also count by their plain name. */
const plainlyCounted: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/** What one object takes from the quotas of its namespace, by the names that a quota may limit. */
export function objectUsage(collection: string, object: ApiObject): ResourceList {
  const count = { [`count/${collection}`]: 1 };
  switch (collection) {
    case 'pods':
      return { ...count, ...(isPodOver(object) ? {} : podUsage(object)) };
    case 'services':
      return { ...count, services: 1, ...serviceUsage(object) };
    case 'persistentvolumeclaims':
      return { ...count, persistentvolumeclaims: 1, ...claimUsage(object) };
    default:
      return plainlyCounted.has(collection) ? { ...count, [collection]: 1 } : count;
  }
}

type PodPhase = { readonly status?: { readonly phase?: string } };

/** A pod that has ended takes nothing but its place in the store. */
function isPodOver(pod: ApiObject): boolean {
  const { phase } = (pod as PodPhase).status ?? {};
  return phase === 'Succeeded' || phase === 'Failed';
}

const computeNames: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

function podUsage(pod: ApiObject): ResourceList {
  const { requests, limits } = podAmounts(pod['spec'] ?? {});
  return Object.fromEntries([
    ['pods', 1],
    ...Object.entries(requests).flatMap(([name, amount]) => {
      const requested: [string, string | number] = [`requests.${name}`, amount];
      const isPlain = computeNames.has(name) || name.startsWith('hugepages-');
      return isPlain ? [requested, [name, amount] as [string, string | number]] : [requested];
    }),
    ...Object.entries(limits).flatMap(([name, amount]): [string, string | number][] =>
      computeNames.has(name) ? [[`limits.${name}`, amount]] : [],
    ),
  ]);
}

type CountedService = {
  readonly type?: string;
  readonly ports?: readonly unknown[];
  readonly allocateLoadBalancerNodePorts?: boolean;
};

function serviceUsage(service: ApiObject): ResourceList {
  const { type, ports = [], allocateLoadBalancerNodePorts = true } = (service['spec'] ?? {}) as CountedService;
  if (type === 'NodePort') return { 'services.nodeports': ports.length };
  if (type !== 'LoadBalancer') return {};
  return {
    'services.loadbalancers': 1,
    ...(allocateLoadBalancerNodePorts && { 'services.nodeports': ports.length }),
  };
}

type CountedClaim = {
  readonly storageClassName?: string;
  readonly resources?: { readonly requests?: { readonly storage?: string } };
};

function claimUsage(claim: ApiObject): ResourceList {
  const { storageClassName = '', resources } = (claim['spec'] ?? {}) as CountedClaim;
  const storage = resources?.requests?.storage;
  const ofClass = `${storageClassName}.storageclass.storage.k8s.io`;
  return {
    ...(storage !== undefined && { 'requests.storage': storage }),
    ...(storageClassName !== '' && { [`${ofClass}/persistentvolumeclaims`]: 1 }),
    ...(storageClassName !== '' && storage !== undefined && { [`${ofClass}/requests.storage`]: storage }),
  };
}
