import { karpenterCustomResources } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { anApiServer, unpacked } from '@nodewright/testkit/worlds';

type Case = {
  readonly id: string;
  readonly kind: string;
  readonly note: string;
  readonly op: string;
  readonly manifest?: object;
  readonly raw?: string;
  readonly contentType?: string;
  readonly query?: string;
  readonly expect: { readonly status: number; readonly causes?: readonly { readonly field: string }[] };
};

/** `<<repeat:C:N>>` stands for N times C. */
const expanded = (text: string): string =>
  text.replaceAll(/<<repeat:(.):(\d+)>>/g, (_all, letter: string, count: string) => letter.repeat(Number(count)));

/** `JSON.parse` does not tell 2.0 from 2, so such numbers travel as a text. */
const keepingFloats = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+\.\d+/g, (token) => (token.startsWith('"') ? token : `"<<float:${token}>>"`));
const asSent = (manifest: object | undefined): string =>
  JSON.stringify(manifest).replaceAll(/"<<float:(.*?)>>"/g, '$1');

const cases = (JSON.parse(keepingFloats(expanded(unpacked('admission.json.gz')))) as readonly Case[]).filter(
  ({ op }) => op === 'create',
);
const plurals = new Map(karpenterCustomResources.map(({ crd }) => [crd.spec.names.kind, crd]));

const { server } = anApiServer({ customResources: karpenterCustomResources });
const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

async function post({ kind, manifest, raw, contentType = 'application/json', query }: Case) {
  const { group = '', names, versions = [] } = plurals.get(kind)?.spec ?? {};
  const version = versions.find(({ storage }) => storage)?.name;
  const path = `/apis/${group}/${version}/${names?.plural}${query === undefined ? '' : `?${query}`}`;
  const body = Buffer.from(raw ?? asSent(manifest));
  const request = { method: 'POST', path, headers: { 'content-type': contentType }, body, peer };
  const answer = await server.handle(request, new AbortController().signal);
  const details = JSON.parse(Buffer.from(answer.body as Uint8Array).toString('utf8')) as {
    readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
  };
  return { status: answer.status, fields: fieldsOf(details.details?.causes ?? []) };
}

const fieldsOf = (causes: readonly { readonly field?: string }[]): readonly string[] =>
  [...new Set(causes.map(({ field = '' }) => field))].toSorted();

describe.each([...new Set(cases.map(({ kind }) => kind))])('a recorded request for a new %s', (kind) => {
  test.each(cases.filter((row) => row.kind === kind).map((row) => [row.id, row.note, row] as const))(
    '%s (%s) is answered as recorded, about the same fields',
    async (_id, _note, row) => {
      const { status, causes = [] } = row.expect;
      expect(await post(row)).toEqual({ status, fields: fieldsOf(causes) });
    },
  );
});

describe('a count written as a float is no integer where the scale subresource reads it', () => {
  const send = async (method: string, contentType: string, body: string) => {
    const request = { method, headers: { 'content-type': contentType }, body: Buffer.from(body), peer };
    const path = `/apis/karpenter.sh/v1/nodepools${method === 'PATCH' ? '/static' : ''}`;
    const answer = await server.handle({ ...request, path }, new AbortController().signal);
    return { status: answer.status, text: Buffer.from(answer.body as Uint8Array).toString('utf8') };
  };
  const pool = (replicas: string): string =>
    `{"apiVersion":"karpenter.sh/v1","kind":"NodePool","metadata":{"name":"static"},"spec":{"replicas":${replicas},"template":{"spec":{"nodeClassRef":{"group":"karpenter.k8s.aws","kind":"EC2NodeClass","name":"default"},"requirements":[]}}}}`;

  test.each(['2.0', '2e0', '20E-1'])('%s of a new NodePool', async (replicas) => {
    const { status, text } = await send('POST', 'application/json', pool(replicas));
    expect(status).toBe(422);
    expect(text).toContain('.spec.replicas accessor error: 2 is of the type float64, expected int64');
  });

  test('2.0 in a patch', async () => {
    expect(await send('POST', 'application/json', pool('2'))).toMatchObject({ status: 201 });
    const merge = 'application/merge-patch+json';
    expect(await send('PATCH', merge, '{"spec":{"replicas":3.0}}')).toMatchObject({ status: 422 });
    const change = '[{"op":"replace","path":"/spec/replicas","value":3.0}]';
    expect(await send('PATCH', 'application/json-patch+json', change)).toMatchObject({ status: 422 });
    const elsewhere =
      '{"spec":{"replicas":3,"template":{"spec":{"requirements":[{"key":"a/b","operator":"Exists","minValues":2.0}]}}}}';
    expect(await send('PATCH', merge, elsewhere)).toMatchObject({ status: 200 });
  });
});
