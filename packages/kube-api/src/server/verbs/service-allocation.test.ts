import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const services = '/api/v1/namespaces/default/services';
const merge = { 'content-type': 'application/merge-patch+json' };

type Ports = readonly { readonly port: number; readonly nodePort?: number }[];
type ServiceBody = {
  readonly spec?: { readonly clusterIP?: string; readonly ports?: Ports };
  readonly message?: string;
};

function aServer() {
  const { send } = anApiServer();
  return {
    create: async (name: string, spec: object) => {
      const { status, body } = await send('POST', services, { metadata: { name }, spec });
      return { status, body: body as ServiceBody };
    },
    patch: async (name: string, spec: object) => {
      const { status, body } = await send('PATCH', `${services}/${name}`, { spec }, merge);
      return { status, body: body as ServiceBody };
    },
  };
}

const nodePortsOf = ({ body }: { readonly body: ServiceBody }) => body.spec?.ports?.map(({ nodePort }) => nodePort);

test('a service that becomes another name gives its addresses back, and gets others when it has pods again', async () => {
  const { create, patch } = aServer();
  const { body } = await create('one', { ports: [{ port: 80 }] });
  expect(body.spec).toMatchObject({ clusterIP: expect.stringMatching(/^10\.100\./), internalTrafficPolicy: 'Cluster' });
  const named = await patch('one', { type: 'ExternalName', externalName: 'a.example.com' });
  expect(named.body.spec).toEqual({
    type: 'ExternalName',
    externalName: 'a.example.com',
    sessionAffinity: 'None',
    ports: body.spec?.ports,
  });
  const again = await patch('one', { type: 'ClusterIP', externalName: null });
  expect(again.body.spec).toMatchObject({ clusterIP: expect.stringMatching(/^10\.100\./), ipFamilies: ['IPv4'] });
});

test('services on nodes get ports of their own, and give them back', async () => {
  const { create, patch } = aServer();
  const ports = [
    { name: 'a', port: 80 },
    { name: 'b', port: 81 },
  ];
  expect(nodePortsOf(await create('one', { type: 'NodePort', ports }))).toEqual([30_086, 30_087]);
  expect(nodePortsOf(await create('two', { type: 'LoadBalancer', ports: [{ port: 80 }] }))).toEqual([30_088]);
  expect(nodePortsOf(await create('three', { ports: [{ port: 80 }] }))).toEqual([undefined]);
  const without = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 80 }] };
  expect(nodePortsOf(await create('four', without))).toEqual([undefined]);
  expect(nodePortsOf(await patch('one', { ports }))).toEqual([30_086, 30_087]);
  expect(nodePortsOf(await patch('one', { type: 'ClusterIP' }))).toEqual([undefined, undefined]);
  expect(nodePortsOf(await patch('three', { type: 'NodePort' }))).toEqual([30_086]);
});

for (const { fact, spec, message } of [
  {
    fact: 'a node port of another service',
    spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30_500 }] },
    message: 'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30500: provided port is already allocated',
  },
  {
    fact: 'a node port out of range',
    spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
    message:
      'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  },
  {
    fact: 'the address of another service',
    spec: { clusterIP: '10.100.0.50', ports: [{ port: 80 }] },
    message:
      /spec\.clusterIPs: Invalid value: .*failed to allocate IP 10\.100\.0\.50: provided IP is already allocated/,
  },
  {
    fact: 'an address of no service',
    spec: { clusterIP: '10.1.0.50', ports: [{ port: 80 }] },
    message: /failed to allocate IP 10\.1\.0\.50: the provided network does not match the current range/,
  },
]) {
  test(`${fact} is refused`, async () => {
    const { create } = aServer();
    const spec0 = { type: 'NodePort', clusterIP: '10.100.0.50', ports: [{ port: 80, nodePort: 30_500 }] };
    await create('a', spec0);
    const { status, body } = await create('b', spec);
    expect(status).toBe(422);
    expect(body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });
}
