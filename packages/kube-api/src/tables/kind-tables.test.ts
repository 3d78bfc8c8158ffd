import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const metadata = { name: 'a' };
const networking = '/apis/networking.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1/NS/rolebindings';
const admission = '/apis/admissionregistration.k8s.io/v1';
const storage = '/apis/storage.k8s.io/v1';

const kinds = [
  {
    path: `${networking}/NS/ingresses`,
    body: {
      spec: {
        ingressClassName: 'alb',
        tls: [{ hosts: ['a.example.com'] }],
        rules: ['a', 'b', 'c', 'd'].map((host) => ({ host: `${host}.example.com` })),
      },
    },
    row: {
      Class: 'alb',
      Hosts: 'a.example.com,b.example.com,c.example.com + 1 more...',
      Address: '',
      Ports: '80, 443',
      Age: '0s',
    },
  },
  {
    path: `${networking}/ingressclasses`,
    body: { spec: { controller: 'example.com/x', parameters: { kind: 'P', name: 'p', scope: 'Cluster' } } },
    row: { Controller: 'example.com/x', Parameters: 'P/p', Age: '0s' },
  },
  {
    path: `${networking}/NS/networkpolicies`,
    body: { spec: { podSelector: { matchLabels: { app: 'web' } } } },
    row: { 'Pod-Selector': 'app=web', Age: '0s' },
  },
  {
    path: '/api/v1/NS/endpoints',
    body: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }] },
    row: { Endpoints: '10.0.0.1:80', Age: '0s' },
  },
  {
    path: '/api/v1/NS/limitranges',
    body: { spec: { limits: [] } },
    row: { 'Created At': '2024-01-28T00:00:00Z' },
  },
  {
    path: rbac,
    body: {
      roleRef: { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
    row: { Role: 'Role/r', Age: '0s', Users: 'u', Groups: '', ServiceAccounts: 'n/s' },
  },
  {
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    body: { handler: 'runc' },
    row: { Handler: 'runc', Age: '0s' },
  },
  {
    path: `${storage}/csidrivers`,
    body: { spec: {} },
    row: {
      AttachRequired: true,
      PodInfoOnMount: false,
      StorageCapacity: false,
      TokenRequests: '<unset>',
      RequiresRepublish: false,
      Modes: 'Persistent',
      Age: '0s',
    },
  },
  {
    path: `${admission}/validatingadmissionpolicybindings`,
    body: { spec: { policyName: 'p', validationActions: ['Deny'] } },
    row: { PolicyName: 'p', ParamRef: '<unset>', Age: '0s' },
  },
  {
    path: '/api/v1/NS/replicationcontrollers',
    body: {
      spec: {
        replicas: 2,
        selector: { a: 'b' },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
    row: { Desired: 2, Current: 0, Ready: 0, Age: '0s', Containers: 'c', Images: 'i', Selector: 'a=b' },
  },
] as const;

type Table = {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
};

test.each(kinds)('kubectl get prints the columns of $path', async ({ path, body, row }) => {
  const { send } = anApiServer({ version: '1.36' });
  const collection = path.replace('NS', 'namespaces/default');
  expect(await send('POST', collection, { ...body, metadata })).toMatchObject({ status: 201 });
  const printed = (await send('GET', `${collection}/a`, undefined, table)).body as unknown as Table;
  const cells = printed.rows[0]?.cells ?? [];
  const named = printed.columnDefinitions.map(({ name }, index) => [name, cells[index]] as const);
  expect(Object.fromEntries(named)).toEqual({ Name: 'a', ...row });
});
