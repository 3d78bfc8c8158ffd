import { nodes, type ObjectList, type Node } from '@nodewright/apis';
import { inProcessTransport, kubernetesClient } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

function twoClients() {
  const { server, time, send } = anApiServer();
  const { gate } = time;
  const client = () =>
    kubernetesClient({ transport: inProcessTransport(gate, server.handle, { peer }), gate, userAgent: 'test/1' });
  return { one: client(), other: client(), time, send };
}

test('clients in the process share one object, which nobody can change, with the bytes of everybody else', async () => {
  const { one, other, time, send } = twoClients();
  const made = await time.finish(one.create(nodes, { metadata: { name: 'a', labels: { zone: 'b' } } }));
  const [got, [listed]] = [
    await time.finish(other.get(nodes, { name: 'a' })),
    (await time.finish<ObjectList<Node>>(one.list(nodes))).items,
  ];
  expect(got).toBe(made);
  expect(listed).toBe(made);
  expect(JSON.parse(JSON.stringify(made))).toEqual((await send('GET', '/api/v1/nodes/a')).body);
  expect(() => Object.assign(made.metadata.labels ?? {}, { zone: 'c' })).toThrow(/read only/);
});
