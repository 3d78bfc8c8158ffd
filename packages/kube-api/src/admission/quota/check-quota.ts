import { readOwn, type ResourceList } from '@nodewright/apis';
import { forbiddenError } from '../../http/status-error.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';
import { exceededNames, grownAmounts, maskAmounts, printAmounts } from './amounts.ts';
import { objectUsage } from './object-usage.ts';
import { isInScope, type ResourceQuota } from './quota-scope.ts';

/** The kinds whose updates may take more than before. */
const chargedUpdates: ReadonlySet<string> = new Set(['services', 'persistentvolumeclaims', 'pods/resize']);

/** Refuses a new or grown object that the quotas of its namespace have no room for. */
export function checkQuota(attributes: AdmissionAttributes, view: AdmissionView): void {
  const { object, namespace, resource } = attributes;
  if (object === undefined || namespace === '' || !isCharged(attributes)) return;
  const quotas = view.store.collection('resourcequotas').list(namespace) as readonly ResourceQuota[];
  if (quotas.length === 0) return;
  const { collection } = resource;
  const usage = objectUsage(collection, object);
  const before = attributes.old === undefined ? {} : objectUsage(collection, attributes.old);
  const wanted = grownAmounts(usage, before);
  for (const quota of quotas) {
    if (!isInScope(quota, collection, object)) continue;
    const { hard = {}, used = {} } = quota.status ?? {};
    if (collection === 'pods') requireAmounts(attributes, quota, object);
    refuseExcess(attributes, quota, { wanted: maskAmounts(wanted, hard), used, hard });
  }
}

function isCharged({ operation, subresource, resource }: AdmissionAttributes): boolean {
  if (operation === 'CREATE') return subresource === '';
  const written = subresource === '' ? resource.collection : `${resource.collection}/${subresource}`;
  return operation === 'UPDATE' && chargedUpdates.has(written);
}

type Charge = { readonly wanted: ResourceList; readonly used: ResourceList; readonly hard: ResourceList };

function refuseExcess(
  { resource, name }: AdmissionAttributes,
  { metadata }: ResourceQuota,
  { wanted, used, hard }: Charge,
): void {
  const names = exceededNames(wanted, used, hard);
  if (names.length === 0) return;
  const requested = printAmounts(wanted, names);
  const because = `exceeded quota: ${metadata.name}, requested: ${requested}, used: ${printAmounts(used, names)}, limited: ${printAmounts(hard, names)}`;
  throw forbiddenError(resource, name, because);
}

type QuotaContainer = {
  readonly name?: string;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
};

type QuotaPodSpec = {
  readonly containers?: readonly QuotaContainer[];
  readonly initContainers?: readonly QuotaContainer[];
  readonly resources?: QuotaContainer['resources'];
};

const requiredAmounts = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** Every container has to say how much it needs of what the quota limits. */
function requireAmounts(
  { resource, name }: AdmissionAttributes,
  { metadata, status }: ResourceQuota,
  pod: ApiObject,
): void {
  const { containers = [], initContainers = [], resources } = (pod['spec'] ?? {}) as QuotaPodSpec;
  const limited = requiredAmounts.filter((amount) => Object.hasOwn(status?.hard ?? {}, amount)).toSorted();
  const missing = limited.flatMap((amount) => {
    if (hasAmount({ ...(resources && { resources }) }, amount)) return [];
    const without = [...containers, ...initContainers].filter((container) => !hasAmount(container, amount));
    const names = without.map((container) => container.name ?? '').toSorted();
    return names.length === 0 ? [] : [`${amount} for: ${names.join(',')}`];
  });
  if (missing.length === 0) return;
  throw forbiddenError(resource, name, `failed quota: ${metadata.name}: must specify ${missing.join('; ')}`);
}

function hasAmount({ resources }: QuotaContainer, amount: string): boolean {
  const [kind, plain = kind] = amount.split('.');
  const list = kind === 'limits' ? resources?.limits : resources?.requests;
  return list !== undefined && readOwn(list, plain ?? '') !== undefined;
}
