import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

type Body = Readonly<Record<string, unknown>>;

async function withConfigMap() {
  const api = anApiServer();
  await api.send('POST', configMaps, { metadata: { name: 'a' }, data: { html: '<&>' } });
  const raw = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
    const request = { method: 'GET', path, headers, body: new Uint8Array(), peer };
    const answer = await api.server.handle(request, new AbortController().signal);
    return { ...answer, text: answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString('utf8') : '' };
  };
  return { ...api, raw };
}

describe('the answer is written', () => {
  const forms = [
    { accept: undefined, type: 'application/json', begins: '{"kind":"ConfigMap","apiVersion":"v1"' },
    { accept: '*/*', type: 'application/json', begins: '{"kind":"ConfigMap"' },
    { accept: 'text/html, */*', type: 'application/json', begins: '{"kind":"ConfigMap"' },
    { accept: 'application/vnd.kubernetes.protobuf', type: 'application/json', begins: '{"kind":"ConfigMap"' },
    { accept: 'application/yaml', type: 'application/yaml', begins: 'apiVersion: v1\n' },
    { accept: partial, type: 'application/json', begins: '{"kind":"PartialObjectMetadata"' },
    { accept: table, type: 'application/json', begins: '{"kind":"Table","apiVersion":"meta.k8s.io/v1"' },
    { accept: `application/json;as=Bogus, ${table}`, type: 'application/json', begins: '{"kind":"Table"' },
  ] as const;
  for (const { accept, type, begins } of forms) {
    test(`as ${type} with ${begins.slice(0, 30)} for ${accept ?? 'no Accept header'}`, async () => {
      const { raw } = await withConfigMap();
      const answer = await raw(`${configMaps}/a`, accept === undefined ? {} : { accept });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
      expect(answer.text.startsWith(begins)).toBe(true);
    });
  }

  const refused = [
    { accept: 'application/xml', text: '406: Not Acceptable\\n\\nAvailable representations: application/json' },
    { accept: 'application/cbor', text: '406: Not Acceptable' },
    {
      accept: 'application/json;as=Table;v=v2;g=meta.k8s.io',
      text: 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    },
  ] as const;
  for (const { accept, text } of refused) {
    test(`not at all for ${accept}`, async () => {
      const { raw } = await withConfigMap();
      const answer = await raw(`${configMaps}/a`, { accept });
      expect(answer.status).toBe(406);
      expect(answer.text).toContain(text);
    });
  }

  test('with the escapes of a Go server', async () => {
    const { raw } = await withConfigMap();
    const { text } = await raw(`${configMaps}/a`);
    expect(text).toContain(String.raw`"html":"\u003c\u0026\u003e"`);
    expect(text.endsWith('}\n')).toBe(true);
  });

  const indented = [
    { fact: 'when the query asks for it', query: '?pretty=true', agent: 'kubectl/v1.29.0', isPretty: true },
    { fact: 'for curl', query: '', agent: 'curl/8.5.0', isPretty: true },
    { fact: 'for a browser', query: '', agent: 'Mozilla/5.0 (X11)', isPretty: true },
    { fact: 'not for curl that refuses', query: '?pretty=false', agent: 'curl/8.5.0', isPretty: false },
    { fact: 'not for kubectl', query: '', agent: 'kubectl/v1.29.0', isPretty: false },
  ] as const;
  for (const { fact, query, agent, isPretty } of indented) {
    test(`indented ${fact}`, async () => {
      const { raw } = await withConfigMap();
      const { text } = await raw(`${configMaps}/a${query}`, { 'user-agent': agent });
      expect(text.startsWith('{\n  "kind": "ConfigMap"')).toBe(isPretty);
    });
  }
});

describe('a list is written', () => {
  test('with the type of the list, and items without theirs', async () => {
    const { raw } = await withConfigMap();
    const list = JSON.parse((await raw(configMaps)).text) as { readonly kind: string; readonly items: readonly Body[] };
    expect(list.kind).toBe('ConfigMapList');
    expect(list.items.map((item) => 'kind' in item)).toEqual([false]);
  });

  test('as the metadata of its items', async () => {
    const { raw } = await withConfigMap();
    expect(JSON.parse((await raw(configMaps, { accept: partialList })).text)).toMatchObject({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
    });
  });

  const includes = [
    { include: '', object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } },
    { include: 'Metadata', object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } },
    { include: 'Object', object: { kind: 'ConfigMap', data: { html: '<&>' } } },
    { include: 'None', object: undefined },
  ] as const;
  for (const { include, object } of includes) {
    test(`as a table whose rows include ${include === '' ? 'the default' : include}`, async () => {
      const { raw } = await withConfigMap();
      const { text } = await raw(`${configMaps}?includeObject=${include}`, { accept: table });
      const { rows } = JSON.parse(text) as { readonly rows: readonly { readonly cells: unknown; object?: unknown }[] };
      expect(rows.map(({ cells }) => cells)).toEqual([['a', 1, '0s']]);
      if (object === undefined) expect(rows[0]?.object ?? undefined).toBeUndefined();
      else expect(rows[0]?.object).toMatchObject(object);
    });
  }

  test('not as a table that includes something else', async () => {
    const { raw } = await withConfigMap();
    const { status, text } = await raw(`${configMaps}?includeObject=Bogus`, { accept: table });
    expect(status).toBe(400);
    expect(text).toContain(`must be 'Metadata', 'Object', 'None', or empty`);
  });
});

describe('an error', () => {
  test('stays a status for clients that want a table', async () => {
    const { raw } = await withConfigMap();
    const { status, text } = await raw(`${configMaps}/nope`, { accept: table });
    expect([status, (JSON.parse(text) as Body)['kind']]).toEqual([404, 'Status']);
  });

  test('is YAML for clients that read YAML', async () => {
    const { raw } = await withConfigMap();
    const { headers, text } = await raw(`${configMaps}/nope`, { accept: 'application/yaml' });
    expect(headers['content-type']).toBe('application/yaml');
    expect(text).toContain('reason: NotFound\n');
  });

  test('of a table in YAML is refused for a watch', async () => {
    const { raw } = await withConfigMap();
    const { status, text } = await raw(`${configMaps}?watch=true`, { accept: 'application/yaml' });
    expect(status).toBe(406);
    expect(text).toContain('application/json;stream=watch');
  });
});
