import { karpenterCustomResources } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { anApiServer } from './testing/api.ts';
import { unpacked } from './testing/recordings.ts';

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

/** What JSON.parse does not tell: 2.0 from 2. */
const untold = new Set(['np-static-replicas-07']);

const cases = (JSON.parse(expanded(unpacked('admission.json.gz'))) as readonly Case[]).filter(
  ({ op }) => op === 'create',
);
const plurals = new Map(karpenterCustomResources.map(({ crd }) => [crd.spec.names.kind, crd]));

const { server } = anApiServer({ customResources: karpenterCustomResources });
const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

async function post({ kind, manifest, raw, contentType = 'application/json', query }: Case) {
  const { group = '', names, versions = [] } = plurals.get(kind)?.spec ?? {};
  const version = versions.find(({ storage }) => storage)?.name;
  const path = `/apis/${group}/${version}/${names?.plural}${query === undefined ? '' : `?${query}`}`;
  const body = Buffer.from(raw ?? JSON.stringify(manifest));
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
  test.each(
    cases.filter((row) => row.kind === kind && !untold.has(row.id)).map((row) => [row.id, row.note, row] as const),
  )('%s (%s) is answered as recorded, about the same fields', async (_id, _note, row) => {
    const { status, causes = [] } = row.expect;
    expect(await post(row)).toEqual({ status, fields: fieldsOf(causes) });
  });
});
