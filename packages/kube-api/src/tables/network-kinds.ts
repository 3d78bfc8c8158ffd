import { type LabelSelector, printLabelTerms, termsOfSelector } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';
import { ageColumn, defineColumn, nameAndColumns, type TableColumns } from './columns.ts';
import { firstTexts } from './first-texts.ts';
import { readList, readPath, readText } from './reading.ts';

const ingressColumns = nameAndColumns(
  defineColumn('Class', (ingress) => readText(ingress, 'spec.ingressClassName', '<none>')),
  defineColumn('Hosts', (ingress) => hostsText(ingress)),
  defineColumn('Address', (ingress) =>
    readList(ingress, 'status.loadBalancer.ingress')
      .map((point) => readText(point, 'ip', readText(point, 'hostname')))
      .filter((text) => text !== '')
      .join(','),
  ),
  defineColumn('Ports', (ingress) => (readList(ingress, 'spec.tls').length > 0 ? '80, 443' : '80')),
  ageColumn,
);

function hostsText(ingress: ApiObject): string {
  const hosts = readList(ingress, 'spec.rules').map((rule) => readText(rule, 'host'));
  return firstTexts(hosts.filter((host) => host !== '')) || '*';
}

const ingressClassColumns = nameAndColumns(
  defineColumn('Controller', (object) => readText(object, 'spec.controller')),
  defineColumn('Parameters', (object) => parametersText(object)),
  ageColumn,
);

function parametersText(object: ApiObject): string {
  const kind = readText(object, 'spec.parameters.kind');
  if (kind === '') return '<none>';
  const group = readText(object, 'spec.parameters.apiGroup');
  return `${kind}${group === '' ? '' : `.${group}`}/${readText(object, 'spec.parameters.name')}`;
}

const networkPolicyColumns = nameAndColumns(
  defineColumn('Pod-Selector', (policy) => {
    const selector = readPath(policy, 'spec.podSelector') as LabelSelector | undefined;
    return (selector && printLabelTerms(termsOfSelector(selector))) || '<none>';
  }),
  ageColumn,
);

const endpointsColumns = nameAndColumns(
  defineColumn('Endpoints', (object) => endpointsText(object)),
  ageColumn,
);

function endpointsText(object: ApiObject): string {
  const found = readList(object, 'subsets').flatMap((subset) => {
    const ports = readList(subset, 'ports').map((port) => `:${readText(port, 'port')}`);
    const ips = readList(subset, 'addresses').map((address) => readText(address, 'ip'));
    return (ports.length === 0 ? [''] : ports).flatMap((port) => ips.map((ip) => `${ip}${port}`));
  });
  return firstTexts(found) || '<none>';
}

const parentText = (object: ApiObject): string =>
  ['group', 'resource', 'namespace', 'name']
    .map((key) => readText(object, `spec.parentRef.${key}`))
    .filter((text) => text !== '')
    .join('/');

/** The columns of the kinds of the network. */
/** The age of an address is in its row, and not among the columns. */
const addressTable = nameAndColumns(defineColumn('ParentRef', parentText), ageColumn);
const addressColumns: TableColumns = { ...addressTable, definitions: addressTable.definitions.slice(0, 2) };

export const networkColumns: Readonly<Record<string, TableColumns>> = {
  'ingresses.networking.k8s.io': ingressColumns,
  'ingressclasses.networking.k8s.io': ingressClassColumns,
  'networkpolicies.networking.k8s.io': networkPolicyColumns,
  endpoints: endpointsColumns,
  'ipaddresses.networking.k8s.io': addressColumns,
  'servicecidrs.networking.k8s.io': nameAndColumns(
    defineColumn('CIDRs', (object) => ((readPath(object, 'spec.cidrs') ?? []) as readonly string[]).join(',')),
    ageColumn,
  ),
};
