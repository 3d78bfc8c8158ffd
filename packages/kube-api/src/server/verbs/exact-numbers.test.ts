import { expect, test } from 'vitest';
import { instant } from '@nodewright/apis';
import { LineLedger } from '@nodewright/runtime';
import { keptIn, MemoryJournal } from '@nodewright/testkit';
import { anApiServer } from '@nodewright/testkit/worlds';

const counterDefinitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const countersPath = '/apis/example.com/v1/counters';

/** JSON with numbers as they stand in a text. */
const rawJson = (text: string): Uint8Array => Buffer.from(text);

const counterDefinition = `{
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "counters.example.com"},
  "spec": {
    "group": "example.com", "scope": "Cluster", "names": {"plural": "counters", "kind": "Counter"},
    "versions": [{
      "name": "v1", "served": true, "storage": true,
      "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "start": {"type": "integer", "format": "int64", "default": 9007199254740997},
        "count": {"type": "integer", "format": "int64"},
        "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}
      }}}}},
      "additionalPrinterColumns": [{"name": "Count", "type": "integer", "jsonPath": ".spec.count"}]
    }]
  }
}`;

const mergePatchHeaders = { 'content-type': 'application/merge-patch+json' };
const jsonPatchHeaders = { 'content-type': 'application/json-patch+json' };
const applyPatchHeaders = { 'content-type': 'application/apply-patch+yaml' };

async function aServerOfCounters(options: Parameters<typeof anApiServer>[0] = {}) {
  const api = anApiServer({ version: '1.36', ...options });
  await api.send('POST', counterDefinitionsPath, rawJson(counterDefinition));
  return api;
}

type CounterServer = Awaited<ReturnType<typeof aServerOfCounters>>;

/** The text of an answer. */
async function textOfAnswer({ server }: CounterServer, path: string, accept = 'application/json'): Promise<string> {
  const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
  const request = { method: 'GET', path, headers: { accept }, body: new Uint8Array(), peer };
  const { body } = await server.handle(request, new AbortController().signal);
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
}

const specText = async (api: CounterServer): Promise<string | undefined> =>
  /"spec":(\{.*?\})\}/.exec(await textOfAnswer(api, `${countersPath}/a`))?.[1];

const createCounter = ({ send }: CounterServer, spec: string) =>
  send(
    'POST',
    countersPath,
    rawJson(`{"apiVersion":"example.com/v1","kind":"Counter","metadata":{"name":"a"},"spec":${spec}}`),
  );

test('whole numbers of 64 bits are kept as they were written', async () => {
  const api = await aServerOfCounters();
  expect(await createCounter(api, '{"count":9007199254740993}')).toMatchObject({ status: 201 });
  expect(await specText(api)).toBe('{"count":9007199254740993,"start":9007199254740997}');
  await api.send('PATCH', `${countersPath}/a`, rawJson('{"spec":{"count":9223372036854775807}}'), mergePatchHeaders);
  expect(await specText(api)).toBe('{"count":9223372036854775807,"start":9007199254740997}');
  const change = '[{"op":"replace","path":"/spec/count","value":-9223372036854775808}]';
  await api.send('PATCH', `${countersPath}/a`, rawJson(change), jsonPatchHeaders);
  expect(await specText(api)).toBe('{"count":-9223372036854775808,"start":9007199254740997}');
  await api.send('PATCH', `${countersPath}/a`, { metadata: { labels: { a: 'b' } } }, mergePatchHeaders);
  expect(await specText(api)).toBe('{"count":-9223372036854775808,"start":9007199254740997}');
});

test('a change of the digits that a double does not hold is a change', async () => {
  const api = await aServerOfCounters();
  await createCounter(api, '{"count":9007199254740993}');
  await api.send('PATCH', `${countersPath}/a`, rawJson('{"spec":{"count":9007199254740992}}'), mergePatchHeaders);
  expect(await specText(api)).toBe('{"count":9007199254740992,"start":9007199254740997}');
});

test('lists, watches, tables and YAML tell them, too', async () => {
  const api = await aServerOfCounters();
  const intent =
    '{"apiVersion":"example.com/v1","kind":"Counter","metadata":{"name":"a"},"spec":{"count":9007199254740993}}';
  expect(await api.send('PATCH', `${countersPath}/a?fieldManager=x`, rawJson(intent), applyPatchHeaders)).toMatchObject(
    {
      status: 201,
    },
  );
  expect(await textOfAnswer(api, countersPath)).toContain('"count":9007199254740993,');
  expect(await textOfAnswer(api, countersPath, 'application/yaml')).toContain('count: 9007199254740993\n');
  expect(await textOfAnswer(api, `${countersPath}/a`, 'application/yaml')).toContain('count: 9007199254740993\n');
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  expect(await textOfAnswer(api, countersPath, table)).toContain('"cells":["a",9007199254740993]');
});

test('members of built-in kinds are kept, and texts with many digits stay texts', async () => {
  const api = await aServerOfCounters();
  const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","annotations":{"a":"9007199254740993"}},
    "spec":{"terminationGracePeriodSeconds":9007199254740993,"containers":[{"name":"c","image":"i"}]}}`;
  const pods = '/api/v1/namespaces/default/pods';
  expect(await api.send('POST', pods, rawJson(pod))).toMatchObject({ status: 201 });
  const text = await textOfAnswer(api, `${pods}/p`);
  expect(text).toContain('"terminationGracePeriodSeconds":9007199254740993,');
  expect(text).toContain('"annotations":{"a":"9007199254740993"}');
});

test('numbers beyond 64 bits are floats', async () => {
  const api = await aServerOfCounters();
  await createCounter(api, '{"any":{"x":12345678901234567890,"y":9007199254740995}}');
  expect(await specText(api)).toContain('"any":{"x":12345678901234567000,"y":9007199254740995}');
  const beyond = await api.send(
    'PATCH',
    `${countersPath}/a`,
    rawJson('{"spec":{"count":9223372036854775808}}'),
    mergePatchHeaders,
  );
  expect(beyond).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('spec.count in body must be of type int64: "float64"') as string },
  });
});

test('a restart keeps them', async () => {
  const journal = new MemoryJournal();
  const openLedger = (): LineLedger => new LineLedger({ kept: keptIn(journal.lines), now: () => instant(0), journal });
  await createCounter(await aServerOfCounters({ ledger: openLedger() }), '{"count":9007199254740993}');
  const again = anApiServer({ version: '1.36', ledger: openLedger() });
  expect(await specText(again)).toBe('{"count":9007199254740993,"start":9007199254740997}');
});
