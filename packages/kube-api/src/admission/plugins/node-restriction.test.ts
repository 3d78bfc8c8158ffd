import { expect, test } from 'vitest';
import type { User } from '../../auth/user.ts';
import { StatusError } from '../../http/status-error.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { ApiObjectStore } from '../../storage/store.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';
import { restrictNode } from './node-restriction.ts';

const node: User = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
const view = { store: new ApiObjectStore() } as unknown as AdmissionView;

const object = (kind: string, metadata: object, rest: object = {}): ApiObject => ({
  kind,
  apiVersion: 'v1',
  metadata: { name: 'x', ...metadata },
  ...rest,
});
const pod = (nodeName: string, metadata: object = {}, spec: object = {}) =>
  object('Pod', metadata, { spec: { nodeName, ...spec } });
const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };

type Write = Partial<AdmissionAttributes> & { readonly plural: string; readonly group?: string };

function refusalOf({ plural, group = '', ...write }: Write, user = node): string | undefined {
  const collection = group === '' ? plural : `${plural}.${group}`;
  const resource = { group, plural, collection } as Resource;
  const attributes = {
    subresource: '',
    namespace: '',
    name: 'x',
    dryRun: false,
    warnings: [] as string[],
    operation: 'UPDATE',
  } as const;
  try {
    restrictNode({ ...attributes, user, resource, ...write }, view);
    return undefined;
  } catch (error) {
    return error instanceof StatusError ? error.message.split(' is forbidden: ')[1] : String(error);
  }
}

const cases: readonly { readonly fact: string; readonly write: Write; readonly refusal: string | undefined }[] = [
  {
    fact: 'deletes a pod of another node',
    write: { plural: 'pods', operation: 'DELETE', old: pod('n2') },
    refusal: 'node "n1" can only delete pods with spec.nodeName set to itself',
  },
  { fact: 'deletes its pod', write: { plural: 'pods', operation: 'DELETE', old: pod('n1') }, refusal: undefined },
  {
    fact: 'creates a pod',
    write: { plural: 'pods', operation: 'CREATE', object: pod('n1') },
    refusal: 'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
  },
  {
    fact: 'creates its mirror pod',
    write: { plural: 'pods', operation: 'CREATE', object: pod('n1', mirror) },
    refusal: undefined,
  },
  {
    fact: 'creates a mirror pod with a secret',
    write: { plural: 'pods', operation: 'CREATE', object: pod('n1', mirror, { volumes: [{ name: 's', secret: {} }] }) },
    refusal: 'node "n1" can not create pods that reference secrets',
  },
  {
    fact: 'writes the status of a pod of another node',
    write: { plural: 'pods', subresource: 'status', object: pod('n2'), old: pod('n2') },
    refusal: 'node "n1" can only update pod status for pods with spec.nodeName set to itself',
  },
  {
    fact: 'writes labels with a status',
    write: { plural: 'pods', subresource: 'status', object: pod('n1', { labels: { a: 'b' } }), old: pod('n1') },
    refusal: 'node "n1" cannot update labels through pod status',
  },
  {
    fact: 'changes another node',
    write: { plural: 'nodes', name: 'n2', object: object('Node', {}), old: object('Node', {}) },
    refusal: 'node "n1" is not allowed to modify node "n2"',
  },
  {
    fact: 'registers with a protected label',
    write: {
      plural: 'nodes',
      name: 'n1',
      operation: 'CREATE',
      object: object('Node', {
        labels: { 'node-restriction.kubernetes.io/a': 'b', 'kubernetes.io/os': 'linux', team: 'x' },
      }),
    },
    refusal: 'node "n1" is not allowed to set the following labels: node-restriction.kubernetes.io/a',
  },
  {
    fact: 'changes its taints',
    write: {
      plural: 'nodes',
      name: 'n1',
      object: object('Node', {}, { spec: { taints: [] } }),
      old: object('Node', {}, { spec: { taints: [{ key: 'a' }] } }),
    },
    refusal: 'node "n1" is not allowed to modify taints',
  },
  {
    fact: 'changes a label of Kubernetes',
    write: {
      plural: 'nodes',
      name: 'n1',
      object: object('Node', { labels: { 'kubernetes.io/x': '' } }),
      old: object('Node', {}),
    },
    refusal: 'is not allowed to modify labels: kubernetes.io/x',
  },
  {
    fact: 'writes a lease elsewhere',
    write: { plural: 'leases', group: 'coordination.k8s.io', namespace: 'kube-system', name: 'n1' },
    refusal: 'can only access leases in the "kube-node-lease" system namespace',
  },
  {
    fact: 'writes the lease of another node',
    write: { plural: 'leases', group: 'coordination.k8s.io', namespace: 'kube-node-lease', name: 'n2' },
    refusal: 'can only access node lease with the same name as the requesting node',
  },
  {
    fact: 'asks for a token without a pod',
    write: {
      plural: 'serviceaccounts',
      subresource: 'token',
      operation: 'CREATE',
      object: object('TokenRequest', {}, { spec: {} }),
    },
    refusal: 'node requested token not bound to a pod',
  },
];

test.each(cases)('a node that $fact', ({ write, refusal }) => {
  expect(refusalOf(write)).toBe(refusal);
});

test('others are not restricted', () => {
  const deletion: Write = { plural: 'pods', operation: 'DELETE', old: pod('n2') };
  expect(refusalOf(deletion, { name: 'system:node:n1', groups: [] })).toBeUndefined();
});
